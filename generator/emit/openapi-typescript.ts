import { createRequire, Module } from 'node:module'
import type * as openApiTypescript from 'openapi-typescript'
import type { SchemaObject } from 'openapi-typescript'
import { compiler, type Member, type TypeNode } from './type-syntax.js'

/** The context of openapi-typescript, with trees of ours. */
type Context = Omit<openApiTypescript.GlobalContext, 'injectFooter' | 'transform' | 'transformProperty'> & {
  readonly injectFooter: object[]
  readonly transform: (schema: SchemaObject, options: TransformOptions) => TypeNode | undefined
  readonly transformProperty: (property: Member, schema: SchemaObject) => Member
}

export interface TransformOptions {
  readonly path?: string
  readonly ctx: Context
  readonly schema?: SchemaObject
}

interface Loaded {
  readonly default: (schema: SchemaObject, options: TransformOptions) => TypeNode
}

const ours = createRequire(import.meta.url)
const entry = ours.resolve('openapi-typescript/dist/transform/schema-object.cjs')
/** As that file requires. */
const theirs = createRequire(entry)

/**
 * The transform of openapi-typescript, with a small stand-in for the TypeScript compiler, of which it uses the
 * factory alone. To load the compiler takes longer than to generate a small document.
 */
export const transformSchemaObject = loadWith('typescript', compiler, () => {
  const { default: transform }: Loaded = ours(entry)
  return transform
})

/** Loads something for which `name` is a module with the given exports; for all others it stays what it was. */
function loadWith<Result>(name: string, exports: object, load: () => Result): Result {
  const path = theirs.resolve(name)
  const before = ours.cache[path]
  ours.cache[path] = Object.assign(new Module(path), { exports, loaded: true })
  try {
    return load()
  } finally {
    if (before === undefined) delete ours.cache[path]
    else ours.cache[path] = before
  }
}
