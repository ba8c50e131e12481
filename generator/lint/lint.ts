import type { Pieces } from '../cache/pieces.js'
import { arrange, type Diagnostic } from '../load/diagnostic.js'
import type { Document } from '../load/document.js'
import { type GrammarNode, walk } from '../load/grammar.js'
import { Context, type Rule, type Visitors } from './rule.js'
import { rules } from './rules.js'
import { slowPatterns } from './slow-patterns.js'

/** Rules that a comparison needs: what takes long is a warning, and has the analysis of patterns loaded. */
export const comparedRules: readonly Rule[] = rules.filter((rule) => rule !== slowPatterns)

/**
 * Checks a loaded document against the OpenAPI 3.1 specification and the rules of the x- vocabulary
 * (spec/README.md). Returns everything that is wrong, sorted by place; an empty list for a clean document.
 *
 * @param pieces what earlier runs have found out
 * @param chosen rules to check; default all
 */
export function lint(document: Document, pieces?: Pieces, chosen: readonly Rule[] = rules): Diagnostic[] {
  const context = new Context(document, pieces)
  const visitors = chosen.map((rule) => rule(context))
  const byKind = new Map<string, ((node: GrammarNode) => void)[]>()
  walk({ kind: 'document', value: document.root, path: undefined }, (node) => {
    let visits = byKind.get(node.kind)
    if (visits === undefined) {
      visits = visitors.flatMap((visitor: Visitors) => [visitor.any ?? [], visitor[node.kind] ?? []].flat())
      byKind.set(node.kind, visits)
    }
    for (const visit of visits) visit(node)
    return undefined
  })
  for (const visitor of visitors) visitor.end?.()
  return arrange(context.diagnostics, document.file)
}
