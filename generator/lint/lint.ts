import type { Pieces } from '../cache/pieces.js'
import { arrange, type Diagnostic } from '../diagnostics/diagnostic.js'
import type { Document, Json } from '../document/document.js'
import type { Kind } from '../document/field.js'
import { type GrammarNode, walk } from '../document/grammar.js'
import { Context, type Rule, type Visitors } from './rules/rule.js'
import { rules } from './rules/rules.js'

/**
 * Checks a loaded document against the OpenAPI 3.1 specification and the rules of the x- vocabulary
 * (spec/README.md). Returns all faults, sorted by position. Empty for a valid document.
 *
 * @param pieces results of earlier runs
 * @param chosen rules to check; default: all
 * @param sound operations and components that are known to have no faults inside
 */
export function lint(
  document: Document,
  pieces?: Pieces,
  chosen: readonly Rule[] = rules,
  sound: ReadonlySet<Json> = new Set(),
): Diagnostic[] {
  const context = new Context(document, pieces)
  const visitors = chosen.map((rule) => rule(context))
  const all = visitsOf(visitors)
  // These rules also need the rest of the document, because it affects findings elsewhere.
  const wide = visitors.filter(({ end }) => end !== undefined)
  const [isWide, widely] = [wide.length > 0, visitsOf(wide)]
  walk({ kind: 'document', value: document.root, path: undefined }, (node) => {
    const visits = all(node.kind)
    // An iterator would take longer than most of these visits.
    for (let index = 0; index < visits.length; index++) visits[index]?.(node)
    if (!sound.has(node.value)) return undefined
    if (!isWide) return false
    walk(node, (inner) => {
      if (inner !== node) for (const visit of widely(inner.kind)) visit(inner)
      return undefined
    })
    return false
  })
  for (const visitor of visitors) visitor.end?.()
  return arrange(context.diagnostics, document.file)
}

type Visit = (node: GrammarNode) => void

function visitsOf(visitors: readonly Visitors[]): (kind: Kind) => readonly Visit[] {
  const byKind = new Map<Kind, readonly Visit[]>()
  return (kind) => {
    const known = byKind.get(kind)
    if (known !== undefined) return known
    const visits = visitors.flatMap((visitor) => [visitor.any ?? [], visitor[kind] ?? []].flat())
    byKind.set(kind, visits)
    return visits
  }
}
