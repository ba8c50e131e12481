import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  bearer,
  createClientOf,
  type JsonRpcTransport,
  jsonrpc,
  type RestTransport,
  rest,
} from '../../runtime/client.js'
import { type Served, servedAt, serveNode } from '../../runtime/fixtures/serve.js'
import { type Contract, createApiOf } from '../../runtime/index.js'
import { generate } from '../scenarios/scenario.js'
import { handlers } from './handlers.js'

/** The service of a document with all features of documents with hundreds of operations. */
export interface KitchenSink {
  readonly served: Served
  /** URL of the base path. */
  readonly base: string
  /** A request below the base path. */
  readonly ask: Served['ask']
  /** Another API over the same contract. */
  readonly api: (options?: object) => ReturnType<typeof createApiOf<never, unknown, unknown, string>>
  readonly overRest: () => Call
  readonly overJsonRpc: () => Call
  /** Whether another process serves it, whose handlers and hooks are not those of this one. */
  readonly isRemote: boolean
  /** The scopes that the authentication hook received, call by call. */
  readonly scopes: readonly unknown[]
  readonly stop: () => Promise<void>
}

type Call = (name: string, params?: object) => Promise<unknown>

/** Writes the service's code, generated from the document, into a new folder. */
export async function generateKitchenSink(): Promise<string> {
  const { files, diagnostics } = await generate(readFileSync(join(folder, 'kitchen-sink.yaml'), 'utf8'))
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics))
  mkdirSync(join(folder, '.data'), { recursive: true })
  const directory = mkdtempSync(join(folder, '.data', 'out-'))
  for (const [path, text] of files) writeFileSync(join(directory, path), text)
  return directory
}

/** Generates the service's code and serves it, unless another process does at the port `KITCHEN_SINK_PORT`. */
export async function startKitchenSink(): Promise<KitchenSink> {
  const directory = await generateKitchenSink()
  const contract: Contract = (await import(join(directory, 'index.ts'))).contract
  const scopes: unknown[] = []
  const api = (options: object = {}) =>
    createApiOf<never, unknown, unknown, string>(contract, {
      handlers,
      authenticate: (_: unknown, call: { scopes: unknown }) => {
        scopes.push(call.scopes)
        return {}
      },
      ...options,
    } as never)
  const { KITCHEN_SINK_PORT: port } = process.env
  const served = port === undefined ? await serveNode(api()) : servedAt(Number(port), '', false)
  const base = `http://127.0.0.1:${served.port}/api/v2`
  const clientOf = (transport: RestTransport | JsonRpcTransport): Call => {
    const client = createClientOf<{ call: Call }>(contract, { transport, auth: bearer('t') })
    return (name, params) => client.call(name, params)
  }
  return {
    served,
    base,
    // workerd answers 400 to a URL that contains a brace.
    ask: (path, options) => served.ask(`/api/v2${port === undefined ? path : encodeURI(path)}`, options),
    api,
    overRest: () => clientOf(rest(base)),
    overJsonRpc: () => clientOf(jsonrpc(base)),
    isRemote: port !== undefined,
    scopes,
    stop: async () => {
      await served.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const folder = fileURLToPath(new URL('.', import.meta.url))
