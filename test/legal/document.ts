/** A legal document that broke another generator, and how what is generated from it behaves. */
export interface Legal {
  /** Where it broke: projects and numbers of their issues. */
  readonly broke: string
  /** YAML without `openapi` (3.1.0) and `info`. */
  readonly document: string
  /** Calls of the operation `x.op`, whose handler gives back its params, or their `body`. */
  readonly calls?: readonly Call[]
  /** The same call as it stands on the wire. */
  readonly rest?: readonly {
    readonly method: string
    readonly target: string
    readonly body?: unknown
    readonly answer: unknown
  }[]
  /** Code of a team's beside what is generated; has to compile. */
  readonly uses?: string
}

/** Params, and what the handler gives back; undefined where they are refused. */
export type Call = readonly [params: object, answer: unknown]

/** An operation `op` that takes a schema as its body and answers it. */
export const echo = (schema: string, components = '') => `
paths:
  /op:
    post:
      x-rpc-method: x.op
      requestBody: { required: true, content: { application/json: { schema: ${schema} } } }
      responses: { '200': { description: ok, content: { application/json: { schema: ${schema} } } } }
${components === '' ? '' : `components:\n  schemas:\n${components.replaceAll(/^/gm, '    ')}\n`}`

/** An operation `op` that takes parameters and answers whatever it got. */
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
