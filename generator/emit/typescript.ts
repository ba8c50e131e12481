import { createRequire } from 'node:module'
import type * as openApiTypescript from 'openapi-typescript'
import type ts from 'typescript'

// Loaded as CommonJS: an import statement has Node scan the compiler's nine megabytes for exports first, and
// openapi-typescript's entry loads what reads documents, too. Together that is half a second.
const require = createRequire(import.meta.url)

export const typescript: typeof ts = require('typescript')

type Transform = { readonly default: typeof openApiTypescript.transformSchemaObject }
type Syntax = Pick<typeof openApiTypescript, 'NEVER' | 'STRING' | 'tsRecord'>

const transform: Transform = require('openapi-typescript/dist/transform/schema-object.cjs')
export const transformSchemaObject = transform.default
export const { NEVER, STRING, tsRecord }: Syntax = require('openapi-typescript/dist/lib/ts.cjs')
