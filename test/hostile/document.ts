/** JSON to write into. */
export type Value = null | boolean | number | string | Value[] | Tree
export interface Tree {
  [key: string]: Value
}

/** A document with only the fields that OpenAPI requires. */
export function emptyDocument(): Tree {
  return { openapi: '3.1.1', info: { title: 'Hostile', version: '1.0.0' }, paths: {}, components: {} }
}

/** Sets an own property of any name. Assigning `__proto__` would set a prototype. */
export function put(tree: Tree, key: string, value: Value): void {
  Object.defineProperty(tree, key, { value, enumerable: true, configurable: true, writable: true })
}

/** An object with one member of any name. */
export function one(key: string, value: Value): Tree {
  const tree: Tree = {}
  put(tree, key, value)
  return tree
}

/** The object at keys of the document, created if missing. */
export function within(document: Tree, ...keys: readonly string[]): Tree {
  let tree = document
  for (const key of keys) {
    const next = Object.hasOwn(tree, key) ? tree[key] : undefined
    const inner = isTree(next) ? next : {}
    if (next !== inner) put(tree, key, inner)
    tree = inner
  }
  return tree
}

/** Adds an operation. By default it returns a text. */
export function operation(document: Tree, path: string, fields: Tree = {}, verb = 'get'): void {
  put(within(document, 'paths', path), verb, { responses: { '200': answer({ type: 'string' }) }, ...fields })
}

/** Adds an operation that accepts and returns a schema. */
function carrying(document: Tree, path: string, schema: Value): void {
  const content = { 'application/json': { schema } }
  const responses = { '200': { description: 'ok', content } }
  operation(document, path, { requestBody: { required: true, content }, responses }, 'put')
}

/** Adds a component schema and an operation that accepts and returns it. */
export function schema(document: Tree, name: string, value: Value): void {
  put(within(document, 'components', 'schemas'), name, value)
  const path = `/schemas/${name.replaceAll(/[^\w]/g, '-')}`
  carrying(document, path, { $ref: `#/components/schemas/${pointerToken(name)}` })
}

/** A response with a schema. */
export function answer(value: Value, media = 'application/json'): Tree {
  return { description: 'ok', content: one(media, { schema: value }) }
}

/** One key of a JSON pointer in a URI fragment. */
function pointerToken(key: string): string {
  return encodeURIComponent(
    key
      .replaceAll(/\p{Cs}/gu, '')
      .replaceAll('~', '~0')
      .replaceAll('/', '~1'),
  )
}

function isTree(value: Value | undefined): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
