import { type Cursor, member, rootCursor } from '../../document/cursor.js'
import type { Endpoint, Side } from '../change/side.js'
import type { Pairing } from '../pairing/pairing.js'
import { type OperationPair, report, type Tools } from './parts/pair.js'
import { type Alternative, alternativesOf, requirementChanges } from './requirements.js'
import { renamedSchemes, securitySchemeFacts } from './security-schemes.js'

/**
 * Compares the security requirements of an operation that declares its own in at least one version. Without its own,
 * the document's apply.
 */
export function securityFacts(pair: OperationPair): void {
  const { before, after } = pair
  if (before.webhook || (!statesOwn(before) && !statesOwn(after))) return
  const [olds, news] = [
    alternativesOf(effective(pair.old, before)),
    alternativesOf(effective(pair.new, after), renaming(pair.old, pair.new)),
  ]
  for (const finding of requirementChanges(olds, news, 'api-security'))
    report(pair, { ...finding, old: finding.old ?? before.operation, new: finding.new ?? after.operation })
}

/** Compares the requirements that operations of both versions inherit from the document, and its schemes. */
export function documentSecurityFacts(old: Side, new_: Side, { pairs }: Pairing, tools: Tools): void {
  const inheriting = pairs.filter((pair) => !statesOwn(pair.old) && !statesOwn(pair.new) && !pair.old.webhook)
  if (inheriting.length > 0 || pairs.length === 0) {
    const [a, b] = [rootSecurity(old), rootSecurity(new_)]
    const [olds, news] = [alternativesOf(a), alternativesOf(b, renaming(old, new_))]
    for (const finding of requirementChanges(olds, news, 'api-global-security')) tools.collector.add(finding)
  }
  const [before, after] = [askedBy(old), askedBy(new_, renaming(old, new_))]
  const scopes = (all: readonly Alternative[]) => new Set(all.flatMap((one) => one.scopes))
  const used = new Set(before.flatMap(({ schemes }) => schemes))
  securitySchemeFacts(old, new_, { used, wasAsked: scopes(before), isAsked: scopes(after) }, tools)
}

/** Everything that operations require. */
function askedBy(side: Side, calls?: (scheme: string) => string): Alternative[] {
  return side.endpoints.flatMap((endpoint) => alternativesOf(effective(side, endpoint), calls))
}

function renaming(old: Side, new_: Side): (scheme: string) => string {
  const renamed = renamedSchemes(old, new_)
  return (scheme) => renamed.get(scheme) ?? scheme
}

function effective(side: Side, endpoint: Endpoint): Cursor | undefined {
  return member(endpoint.operation, 'security') ?? rootSecurity(side)
}

function rootSecurity({ document }: Side): Cursor | undefined {
  return member(rootCursor(document), 'security')
}

function statesOwn({ operation }: Endpoint): boolean {
  return member(operation, 'security') !== undefined
}
