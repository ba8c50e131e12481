import type { Cursor } from '../../document/cursor.js'
import { own } from '../../document/json.js'
import { asObject } from '../change/side.js'
import type { SchemaGraph } from './graph.js'
import { inOnePlace } from './merged.js'
import type { SchemaNode } from './node.js'
import { withoutNull } from './nullable.js'
import { dropRespelled } from './respelled.js'
import type { Stop } from './schema-walk.js'
import { nullChange } from './type-changes.js'
import { withTypeList } from './type-list.js'
import { NodeWalk } from './walk.js'
import { asBranches } from './wrapped.js'

/** Finds what differs in the two schemas of a node, and which schemas within them differ. */
export function exploreNode(graph: SchemaGraph, node: SchemaNode): void {
  explore(graph, node)
  dropRespelled(graph, node)
}

function explore(graph: SchemaGraph, node: SchemaNode): void {
  const { kind } = node
  const bare = withoutNull(graph, node.a, node.b, node.traits.direction)
  if (bare !== undefined) {
    const walk = new NodeWalk(graph, node, node.a, node.b)
    const stop: Stop = { a: node.a, b: node.b, path: '', kind }
    if (bare.change !== undefined) nullChange(walk, stop, bare.change)
    walk.visit({ ...stop, a: bare.a, b: bare.b })
    return
  }
  const [a, b] = inOnePlace(graph, node.a, node.b) ?? asBranches(graph, node)
  const compare = (first: Cursor, second: Cursor, listed: boolean): void =>
    new NodeWalk(graph, node, first, second).compare({ a: first, b: second, path: '', kind }, listed)
  const [one, other] = [withTypeList(graph.old, a), withTypeList(graph.new_, b)]
  const branched = (listed: Cursor | undefined, { value }: Cursor): boolean =>
    listed === undefined && ['anyOf', 'oneOf'].some((keyword) => own(asObject(value), keyword) !== undefined)
  // Branches are compared with branches.
  if (branched(one, a) || branched(other, b)) compare(a, b, false)
  else compare(one ?? a, other ?? b, one !== undefined || other !== undefined)
}
