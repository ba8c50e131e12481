import { createRequire, Module } from 'node:module'
import type * as openApiTypescript from 'openapi-typescript'
import type { SchemaObject } from 'openapi-typescript'
import { escaped, parseFragment } from '../document/pointer.js'
import { compiler, type Member, type TypeNode } from './type-syntax.js'

/** The context of openapi-typescript, with our trees. */
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
/** Resolves modules as that file does. */
const theirs = createRequire(entry)

/**
 * The transform of openapi-typescript, with small substitutes for the TypeScript compiler, of which it only
 * uses the factory, and for Redocly, which only parses references for it. Loading the originals takes longer
 * than generating a small document.
 */
export const transformSchemaObject = loadWith(
  [
    ['typescript', compiler],
    ['@redocly/openapi-core/lib/ref-utils.js', { parseRef, escapePointer: escaped }],
  ],
  () => {
    const { default: transform }: Loaded = ours(entry)
    return transform
  },
)

function parseRef(reference: string): { readonly pointer: readonly string[] } {
  return { pointer: parseFragment(reference.slice(reference.indexOf('#') + 1)) ?? [] }
}

/** Loads something while the named modules have the given exports. Other code still gets the originals. */
function loadWith<Result>(modules: readonly (readonly [string, object])[], load: () => Result): Result {
  const before = modules.map(([name]) => {
    const path = theirs.resolve(name)
    return { path, module: ours.cache[path] }
  })
  for (const [index, { path }] of before.entries())
    ours.cache[path] = Object.assign(new Module(path), { exports: modules[index]?.[1], loaded: true })
  try {
    return load()
  } finally {
    for (const { path, module } of before) {
      if (module === undefined) delete ours.cache[path]
      else ours.cache[path] = module
    }
  }
}
