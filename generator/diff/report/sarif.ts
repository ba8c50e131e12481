import { catalogueEntry } from '../change/catalogue.js'
import type { Change, Comparison } from '../change/change.js'
import type { Level } from '../change/level.js'
import type { Objection } from '../gate/gate.js'
import { headline } from './rows.js'
import { message, physical, sarifLog } from './sarif-parts.js'
import { worstFirst } from './sections.js'
import { reachText, waivedText } from './words.js'

/** GitHub accepts no more results in a run. */
const limit = 25_000

/** A change of a shared schema may reach any number of operations. A line names no more than these. */
const mostNames = 12

/** SARIF 2.1.0: a rule for each change id, a result for each change, at its position in the new document. */
export function comparisonSarif(
  { changes }: Comparison,
  version: string,
  objections: readonly Objection[] = [],
): object {
  const shownChanges = worstFirst(changes).slice(0, limit)
  const ids = [...new Set([...shownChanges, ...objections].map(({ id }) => id))].sort()
  const index = new Map(ids.map((id, position) => [id, position]))
  const worst = new Map<string, Level>()
  for (const { id } of objections) worst.set(id, 'breaking')
  for (const { id, level } of shownChanges) if (!worst.has(id)) worst.set(id, level)
  const rules = ids.map((id) => ({
    id,
    shortDescription: { text: catalogueEntry(id)?.words ?? id.replaceAll('-', ' ') },
    defaultConfiguration: { level: sarifLevels[worst.get(id) ?? 'info'] },
  }))
  const results = [
    ...objections.map((one) => ({ ruleIndex: index.get(one.id) ?? -1, ...objected(one) })),
    ...shownChanges.map((change) => ({ ruleIndex: index.get(change.id) ?? -1, ...result(change) })),
  ]
  const cut = changes.length - shownChanges.length
  const notice = `${cut} milder changes are left out: more than ${limit} results are not read.`
  return sarifLog('duet', version, rules, results, cut === 0 ? undefined : notice)
}

const sarifLevels: { readonly [level in Level]: 'error' | 'warning' | 'note' | 'none' } = {
  breaking: 'error',
  dangerous: 'warning',
  compatible: 'note',
  info: 'none',
}

function result(change: Change): object {
  const { id, level, operations, protocols, direction, path, waiver, fingerprint } = change
  const reach = operations.length > 1 ? ` ${reachText(change)}` : ''
  const place = change.new ?? change.old
  const named = operations.slice(0, mostNames).map((name) => ({ fullyQualifiedName: name, kind: 'function' }))
  const location = {
    ...(place !== null && physical(place)),
    ...(named.length > 0 && { logicalLocations: named }),
  }
  const before = change.new !== null && change.old !== null ? change.old : null
  return {
    ruleId: id,
    level: sarifLevels[level],
    ...(level === 'info' && { kind: 'informational' }),
    message: { text: message(`${headline(change)}${reach}`) },
    locations: place === null && named.length === 0 ? [] : [location],
    ...(before !== null && { relatedLocations: [{ message: { text: 'before' }, ...physical(before) }] }),
    partialFingerprints: { 'duetChange/v1': fingerprint },
    ...(waiver !== null && {
      suppressions: [{ kind: 'external', status: 'accepted', justification: waivedText(waiver) }],
    }),
    properties: { level, protocols, direction, path, operations: operations.length },
  }
}

function objected({ id, message: text, at }: Objection): object {
  return {
    ruleId: id,
    level: 'error',
    message: { text: message(text) },
    locations: at === null ? [] : [physical(at)],
  }
}
