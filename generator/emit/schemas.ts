import { typeNamed, valueNamed } from '../code/code.js'
import type { Model } from '../model/model.js'
import { SourceFile } from './file.js'
import { operationsModule } from './operations.js'

/** `schemas.ts`: the validators as Standard Schemas. */
export function emitSchemas(model: Model): string {
  const file = new SourceFile('./schemas.js', model)
  const { types, operations } = operationsModule
  const value = (name: string) => valueNamed('duet-runtime/schema', name)
  const type = typeNamed('duet-runtime/schema', 'StandardSchemas')
  file.blank()
  file.doc(
    "Standard Schemas (https://standardschema.dev) by operation, for forms, routers and AI SDKs: `schemas['clients.get'].params`.",
  )
  file.line`export const schemas: ${type}<${types}> = ${value('standardSchemas')}<${types}>(`
  file.indented(() => {
    file.line`${valueNamed('./validators.js', 'validators')},`
    file.line`() => ${value('readJsonFile')}(new URL('./openrpc.json', import.meta.url)),`
    if (model.int64 !== 'number') file.line`${operations},`
  })
  file.line`)`
  return file.toString()
}
