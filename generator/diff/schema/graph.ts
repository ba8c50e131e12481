import type { Cursor } from '../../document/cursor.js'
import type { Json } from '../../document/document.js'
import { isObject } from '../../document/json.js'
import { fingerprint } from '../../schema/canonical.js'
import type { Notice } from '../change/lifecycle.js'
import { taking, wayOf } from '../change/place.js'
import type { Side } from '../change/side.js'
import { traitsKey } from '../change/subject.js'
import type { Judgement } from '../decide/judgement.js'
import { discriminated } from '../decide/plain-schema.js'
import { discriminationBy } from '../same/discrimination.js'
import type { Sameness } from '../same/same.js'
import { DescribedNames } from './in-place.js'
import type { SchemaNode, SchemaOwner } from './node.js'
import { outline } from './outline.js'

/** The two schemas of a node, and everything else that its findings depend on. */
export type NodeKey = Pick<SchemaNode, 'traits' | 'a' | 'b' | 'kind' | 'isRoot' | 'owner' | 'place'>

/**
 * The pairs of schemas that differ. Each pair is explored once, so a recursive schema forms a cycle. Operations refer
 * to nodes.
 */
export class SchemaGraph {
  readonly nodes: SchemaNode[] = []
  readonly described: { readonly old: DescribedNames; readonly new: DescribedNames }
  readonly #known = new Map<Json, Map<Json, Map<string, SchemaNode>>>()
  readonly #owners = new Map<string, SchemaOwner>()
  readonly #waiting: SchemaNode[] = []

  constructor(
    readonly old: Side,
    readonly new_: Side,
    readonly sameness: Sameness,
    readonly judgement: Judgement,
    readonly notice: Notice,
    /** Finds the differences of a node, and the nodes that it leads to. */
    readonly explore: (graph: SchemaGraph, node: SchemaNode) => void,
  ) {
    this.described = { old: new DescribedNames(old), new: new DescribedNames(new_) }
  }

  /** The node of two resolved schemas, explored with everything it leads to. */
  enter(key: NodeKey): SchemaNode {
    const node = this.node(key)
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop())
      this.explore(this, next)
    return node
  }

  /** The node of two schemas. It may not be explored yet. */
  node(key: NodeKey): SchemaNode {
    const { a, b, traits, owner, kind, isRoot } = key
    // A boolean schema has no identity: it may occur in many places.
    const isOne = isObject(a.value) && isObject(b.value)
    const byNew = this.#known.get(a.value) ?? new Map<Json, Map<string, SchemaNode>>()
    const byRest = byNew.get(b.value) ?? new Map<string, SchemaNode>()
    const rest = `${traitsKey(traits)} ${kind} ${isRoot} ${owner.shared ?? ''}`
    const known = isOne ? byRest.get(rest) : undefined
    if (known !== undefined) return known
    let holds: boolean | undefined
    const node: SchemaNode = {
      ...key,
      index: this.nodes.length,
      findings: [],
      edges: [],
      holds: () => {
        holds ??= this.#holds(key)
        return holds
      },
      admits: (nested, path) => this.#admits(key, nested, path),
    }
    this.nodes.push(node)
    this.#waiting.push(node)
    if (isOne) {
      this.#known.set(a.value, byNew)
      byNew.set(b.value, byRest)
      byRest.set(rest, node)
    }
    return node
  }

  /** The owner of the inline schemas within two referenced schemas. */
  owner(a: Cursor, b: Cursor): SchemaOwner {
    const shared = `${a.pointer} ${b.pointer}`
    const known = this.#owners.get(shared)
    if (known !== undefined) return known
    const owner = { shared, outline: fingerprint(outline(this.old, a.value)) }
    this.#owners.set(shared, owner)
    return owner
  }

  #holds({ traits: { direction }, a, b }: NodeKey): boolean {
    const both = [chosenBy(this.old, a.value), chosenBy(this.new_, b.value)] as const
    const [sender, receiver] = direction === 'request' ? both : [both[1], both[0]]
    return this.judgement.isContained(direction, sender, receiver)
  }

  #admits(
    { traits: { direction }, a, b }: NodeKey,
    nested: Pick<SchemaNode, 'a' | 'b'>,
    path: string,
  ): boolean {
    const [sender, receiver] = direction === 'request' ? [a, nested.b] : [b, nested.a]
    const taken = taking(wayOf(path), receiver.value)
    return taken !== undefined && this.judgement.isContained(direction, sender.value, taken)
  }
}

/** A schema with its discriminator in the keywords of JSON Schema, if it selects branches. */
function chosenBy(side: Side, schema: Json): Json {
  if (!isObject(schema)) return schema
  const discrimination = discriminationBy(side, schema)
  return discrimination === undefined ? schema : discriminated(schema, discrimination)
}
