import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  createClientOf,
  type JsonRpcTransport,
  jsonrpc,
  type RestTransport,
  rest,
} from '../../runtime/client.js'
import { type Served, serveNode } from '../../runtime/fixtures/serve.js'
import { type Contract, createApiOf } from '../../runtime/index.js'
import { generate } from '../scenarios/scenario.js'

/** The service of the document with everything that documents of a few hundred operations hold. */
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
  /** What the authentication hook was told, call by call. */
  readonly scopes: readonly unknown[]
  readonly stop: () => Promise<void>
}

type Call = (name: string, params?: object) => Promise<unknown>

/** Generates the service's code from the document and serves it. */
export async function startKitchenSink(): Promise<KitchenSink> {
  const { files, diagnostics } = await generate(readFileSync(join(folder, 'kitchen-sink.yaml'), 'utf8'))
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics))
  mkdirSync(join(folder, '.data'), { recursive: true })
  const directory = mkdtempSync(join(folder, '.data', 'out-'))
  for (const [path, text] of files) writeFileSync(join(directory, path), text)
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
  const served = await serveNode(api())
  const base = `http://127.0.0.1:${served.port}/api/v2`
  const clientOf = (transport: RestTransport | JsonRpcTransport): Call => {
    const { operations, errors } = contract
    const client = createClientOf<{ call: Call }>({ operations, errors }, { transport, auth: bearerToken })
    return (name, params) => client.call(name, params)
  }
  return {
    served,
    base,
    ask: (path, options) => served.ask(`/api/v2${path}`, options),
    api,
    overRest: () => clientOf(rest(base)),
    overJsonRpc: () => clientOf(jsonrpc(base)),
    scopes,
    stop: async () => {
      await served.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

export const pixel = new Uint8Array([137, 80, 78, 71, 0, 255])

/** `ended` is called when a stream of events ends, whatever ends it. */
export const streams: { ended?: (() => void) | undefined } = {}

const folder = fileURLToPath(new URL('.', import.meta.url))
const bearerToken = { headers: () => ({ Authorization: 'Bearer t' }) }

async function describeFile(value: unknown): Promise<unknown> {
  if (value instanceof Blob) return { bytes: [...new Uint8Array(await value.arrayBuffer())] }
  if (Array.isArray(value)) return Promise.all(value.map(describeFile))
  return value
}

async function described(params: object): Promise<object> {
  const entries = Object.entries(params).map(async ([name, value]) => [name, await describeFile(value)])
  return Object.fromEntries(await Promise.all(entries))
}

interface Given {
  reply: { status(status: number): Given['reply']; header(name: string, value: string): Given['reply'] }
}

const handlers = {
  charges: { create: (params: object) => params },
  files: {
    upload: described,
    replace: async ({ body }: { body: Blob }) => (body.size === 0 ? null : body.size),
    get: ({ name }: { name: string }, { reply }: Given) => {
      reply.header('ETag', `"${name}"`)
      return name === 'bytes' ? pixel : new Blob([pixel], { type: 'image/png' })
    },
  },
  notes: { replace: ({ body }: { body: string }) => body.toUpperCase() },
  events: {
    stream: async function* ({ count }: { count: number }) {
      try {
        for (let n = 1; n <= count; n++) yield { n }
      } finally {
        streams.ended?.()
      }
    },
  },
  lines: {
    stream: async function* () {
      yield { a: 1 }
      yield { a: 2 }
    },
  },
  jobs: {
    start: ({ wait }: { wait: boolean }, { reply }: Given) => {
      if (wait) return { done: true }
      reply.status(202).header('Location', '/jobs/1')
      return { job: '1' }
    },
  },
  search: { run: (params: object) => params, beta: (params: object) => ({ beta: params }) },
  matrix: { get: (params: object) => params },
  avatars: { create: described },
  secrets: { list: () => [] },
  cached: {
    get: ({ state, fresh }: { state?: string; fresh?: boolean }, { reply }: Given) => {
      if (state === 'moved') reply.status(302).header('Location', '/elsewhere')
      return state === 'moved' || state === 'same' ? null : { fresh: fresh ?? 'absent' }
    },
  },
  touched: { get: () => null },
  labels: { set: (params: object) => params },
  users: { replace: (params: object) => params },
  lookups: { list: (params: object) => params },
}
