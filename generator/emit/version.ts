import { raw, typeNamed, valueNamed } from '../code/code.js'
import { literal } from '../code/literal.js'
import { hasTools } from '../mcp/has-tools.js'
import { visibleText } from '../mcp/visible-text.js'
import type { Model } from '../model/model.js'
import { routesName } from './express.js'
import { SourceFile } from './file.js'
import { handlersName } from './handlers.js'
import { methodsName } from './jsonrpc.js'
import { operationsModule } from './operations.js'

/** `index.ts`: what a service imports of a version. */
export function emitVersion(model: Model): string {
  const file = new SourceFile('./index.js', model)
  const type = (name: string) => typeNamed('duet-runtime', name)
  const value = (name: string) => valueNamed('duet-runtime', name)
  const { types, operations, errors, errorBody, errorCode, errorMembers, securitySchemes, schemeName } =
    operationsModule
  const options = type(isSecured(model) ? 'SecuredApiOptions' : 'ApiOptions')
  const [readJsonFile, problemError] = [value('readJsonFile'), value('ProblemError')]
  file.blank()
  file.line`export * from './handlers.js'`
  file.line`export * from './operations.js'`
  file.line`export * from './types.js'`
  file.line`export { ${raw('ProblemError')} } from 'duet-runtime'`
  file.blank()
  file.doc(`${model.title} ${model.version} for the runtime.`)
  file.line`export const contract: ${type('Contract')} = {`
  file.indented(() => {
    file.line`title: ${literal(visibleText(model.title))},`
    file.line`version: ${literal(model.version)},`
    if (model.basePath !== '') file.line`basePath: ${literal(model.basePath)},`
    if (model.rpcPath !== '/') file.line`rpcPath: ${literal(model.rpcPath)},`
    file.line`${operations},`
    file.line`${routesName},`
    file.line`${methodsName},`
    file.line`${valueNamed('./validators.js', 'validators')},`
    file.line`${errors},`
    file.line`${securitySchemes},`
    file.line`openapi: () => ${readJsonFile}(new URL('./openapi.json', import.meta.url)),`
    file.line`openrpc: () => ${readJsonFile}(new URL('./openrpc.json', import.meta.url)),`
    file.line`module: import.meta.url,`
    if (hasTools(model)) file.line`mcp: () => ${readJsonFile}(new URL('./mcp.json', import.meta.url)),`
  })
  file.line`}`
  file.blank()
  file.doc('The service of these handlers, over REST, over JSON-RPC and in process.')
  file.line`export function createApi<Principal, State = unknown>(`
  file.indented(() => {
    file.line`options: ${options}<${handlersName}<Principal, State>, Principal, ${schemeName}, State, ${errorBody}>,`
  })
  file.line`): ${type('Api')}<${types}, Principal> {`
  file.indented(() => {
    file.line`return ${value('createApiOf')}(contract, options)`
  })
  file.line`}`
  file.blank()
  file.doc("An error to throw, with any code of the catalogue: `throw problem('not_found', 'No client 7.')`.")
  file.line`export function problem<Code extends ${errorCode}>(`
  file.indented(() => {
    file.line`code: Code,`
    file.line`detail?: string,`
    file.line`...members: ${type('ProblemMembers')}<${errorMembers}, Code>`
  })
  file.line`): ${problemError}<Code> {`
  file.indented(() => {
    file.line`return new ${problemError}(code, { detail, members: Object.assign({}, ...members) })`
  })
  file.line`}`
  return file.toString()
}

/** Whether an operation accepts credentials, so that the service must check them. */
function isSecured({ operations }: Model): boolean {
  return operations.some(({ security }) => security.some((each) => Object.keys(each).length > 0))
}
