import type { Cursor } from '../../document/cursor.js'
import { own } from '../../document/json.js'
import { choices } from '../../document/vocabulary.js'
import { asObject } from '../change/side.js'
import type { SchemaGraph } from './graph.js'
import { withMovedMerged } from './merged.js'
import type { SchemaNode } from './node.js'
import { withoutNull } from './nullable.js'
import { dropRespelled } from './respelled.js'
import type { SchemaPair } from './schema-walk.js'
import { nullChange, textChange } from './type-changes.js'
import { withTypeList } from './type-list.js'
import { NodeWalk } from './walk.js'
import { wrapBranch } from './wrapped.js'

/** Finds the differences of a node, and the nested schemas that differ. */
export function exploreNode(graph: SchemaGraph, node: SchemaNode): void {
  explore(graph, node)
  dropRespelled(graph, node)
}

function explore(graph: SchemaGraph, node: SchemaNode): void {
  const { kind } = node
  const nonNull = withoutNull(graph, node.a, node.b, node.traits.direction)
  if (nonNull !== undefined) {
    const walk = new NodeWalk(graph, node, node.a, node.b)
    const pair: SchemaPair = { a: node.a, b: node.b, path: '', kind }
    if (nonNull.change !== undefined) nullChange(walk, pair, nonNull.change)
    walk.visit({ ...pair, a: nonNull.a, b: nonNull.b })
    return
  }
  const [a, b] = withMovedMerged(graph, node.a, node.b) ?? wrapBranch(graph, node)
  const compare = (first: Cursor, second: Cursor, listed: boolean): void => {
    const walk = new NodeWalk(graph, node, first, second)
    const pair: SchemaPair = { a: first, b: second, path: '', kind }
    walk.compare(pair, listed)
    textChange(walk, pair)
  }
  const [one, other] = [withTypeList(graph.old, a), withTypeList(graph.new_, b)]
  const branched = (listed: Cursor | undefined, { value }: Cursor): boolean =>
    listed === undefined && choices.some((keyword) => own(asObject(value), keyword) !== undefined)
  // Compare branches with branches.
  if (branched(one, a) || branched(other, b)) compare(a, b, false)
  else compare(one ?? a, other ?? b, one !== undefined || other !== undefined)
}
