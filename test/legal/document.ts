/** A legal document that broke another generator, and how its generated code behaves. */
export interface Legal {
  /** Where it broke: projects and issue numbers. */
  readonly broke: string
  /** YAML without `openapi` (3.1.0) and `info`. */
  readonly document: string
  /** Calls of the operation `x.op`. Its handler returns its params, or their `body`. */
  readonly calls?: readonly Call[]
  /** The same call in HTTP. */
  readonly rest?: readonly {
    readonly method: string
    readonly target: string
    readonly body?: unknown
    readonly answer: unknown
  }[]
  /** Code of a team that uses the generated code, and must compile. */
  readonly uses?: string
}

/** Params, and the handler's result. Undefined if they are refused. */
export type Call = readonly [params: object, answer: unknown]

/** An operation `op` that accepts a schema as its body and returns it. */
export const echo = (schema: string, components = '') => `
paths:
  /op:
    post:
      x-rpc-method: x.op
      requestBody: { required: true, content: { application/json: { schema: ${schema} } } }
      responses: { '200': { description: ok, content: { application/json: { schema: ${schema} } } } }
${components === '' ? '' : `components:\n  schemas:\n${components.replaceAll(/^/gm, '    ')}\n`}`

/** An operation `op` that accepts parameters and returns them. */
export const withParameters = (path: string, parameters: string, more = '') => `
paths:
  ${path}:
    get:
      x-rpc-method: x.op
      parameters: [${parameters}]
      responses: { '200': { description: ok, content: { application/json: { schema: {} } } } }
${more}`

export const same = (...params: object[]): Call[] => params.map((each) => [each, each])
export const refused = (...params: object[]): Call[] => params.map((each) => [each, undefined])
