import type { PositionNode } from './operation.js'
import { mapPositions } from './positions.js'

/** Texts that the other version does not have, with those that it gets instead, and where they may be. */
export interface ReplacedValues {
  readonly values: Readonly<Record<string, string>>
  /** The members of the first node are the values of operations, by their names. */
  readonly graph: readonly ReplacedNode[]
}

export interface ReplacedNode extends PositionNode {
  readonly replaced?: true
}

/**
 * Replaces texts of an operation's params, result or piece. Copies only what changes.
 *
 * @param name the operation, as the graphs name it
 */
export function replaceValues<Value>(value: Value, replaced: readonly ReplacedValues[], name: string): Value {
  let made: unknown = value
  for (const { values, graph } of replaced) {
    const root = graph[0]?.properties
    const index = root !== undefined && Object.hasOwn(root, name) ? root[name] : undefined
    if (index === undefined) continue
    made = mapPositions(
      made,
      graph,
      (found, node) =>
        node.replaced === true && typeof found === 'string' && Object.hasOwn(values, found)
          ? values[found]
          : found,
      index,
    )
  }
  return made as Value
}
