import type { Json } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import type { Model } from '../../model/model.js'
import { referenceOf, type Schema } from '../../schema/schema.js'
import type { Part } from '../adaptation.js'
import { type Resolve, type View, viewOf } from '../view.js'

/** What a version says of a value. */
export interface Reading {
  readonly schema: Schema | undefined
  readonly resolve: Resolve
}

/** What both versions say of a value, and where a person decides. */
interface Known extends Pick<Part, 'obstacles'> {
  readonly sent: Reading
  readonly received: Reading
}

export function readingOf({ schemas }: Model, schema: Schema | undefined): Reading {
  return { schema, resolve: (part) => schemas.get(referenceOf(part) ?? '') }
}

/** The path of the first member that both versions know and that a converter removes or changes. */
export function touchedPath(
  expected: Json,
  made: Json | undefined,
  { obstacles, sent, received }: Known,
  path = '',
): string | undefined {
  if (obstacles.some((obstacle) => covers(obstacle.path, path))) return undefined
  if (made === undefined) return `loses ${path}`
  const [from, to] = [sent, received].map(({ schema, resolve }) =>
    schema === undefined ? undefined : viewOf(schema, resolve),
  )
  const below = (part: (view: View | undefined) => Schema | undefined): Known => {
    return { obstacles, sent: { ...sent, schema: part(from) }, received: { ...received, schema: part(to) } }
  }
  if (isArray(expected) && isArray(made)) {
    if (expected.length !== made.length) return `changes the length of ${path || 'the list'}`
    const items = below((view) => view?.items)
    return first(expected, (item, index) => touchedPath(item, made[index], items, `${path}/${index}`))
  }
  if (isObject(expected) && isObject(made))
    return first(Object.entries(expected), ([name, member]) => {
      const other = own(made, name)
      if (other === undefined && isNew(name, from, to)) return undefined
      return touchedPath(
        member,
        other,
        below((view) => view?.properties.get(name)),
        `${path}/${name}`,
      )
    })
  return JSON.stringify(expected) === JSON.stringify(made) ? undefined : `changes ${path || 'the value'}`
}

/** Whether the sender describes a member that the receiver does not name, though it allows it. */
function isNew(name: string, from: View | undefined, to: View | undefined): boolean {
  return (
    from?.properties.has(name) === true &&
    to !== undefined &&
    to.properties.size > 0 &&
    !to.properties.has(name) &&
    to.others === true &&
    to.unions.length === 0 &&
    !to.rest.has('patternProperties')
  )
}

function first<Item>(
  items: readonly Item[],
  find: (item: Item, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index)
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether a path is at or below one with `*` for any item. */
function covers(pattern: string, path: string): boolean {
  const [parts, names] = [pattern.split('/').slice(1), path.split('/').slice(1)]
  return parts.length <= names.length && parts.every((part, index) => part === '*' || part === names[index])
}
