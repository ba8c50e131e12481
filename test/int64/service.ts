import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadDocument } from '../../generator/load/load.js'
import { buildModel } from '../../generator/model/build/build.js'
import type { Model } from '../../generator/model/model.js'
import type { Int64 } from '../../generator/schema/int64.js'
import { jsonrpc, rest } from '../../runtime/client.js'
import { type Served, serveNode } from '../../runtime/fixtures/serve.js'
import { type Contract, createApiOf } from '../../runtime/index.js'
import type { StandardSchemas } from '../../runtime/schema.js'
import { generate } from '../scenarios/scenario.js'

const folder = fileURLToPath(new URL('.', import.meta.url))

export const document = readFileSync(join(folder, 'int64.yaml'), 'utf8')

/** Calls an operation by its name. */
export type Call = (name: string, params: object) => Promise<unknown>

/** A service of the document that returns what it receives, with one setting of `int64`. */
export interface Ledger {
  readonly served: Served
  readonly contract: Contract
  /** The params that handlers received, in order. */
  readonly given: unknown[]
  /** Sets the next handler's result. */
  answer(result: unknown): void
  readonly overRest: Client
  readonly overJsonRpc: Client
  readonly inProcess: Call
  readonly model: Model
  readonly schemas: StandardSchemas<Record<string, { params: unknown; input: unknown; result: unknown }>>
  readonly createClient: (options: object) => Client
  stop(): Promise<void>
}

interface Client {
  call: Call
  batch(calls: readonly (readonly [string, object])[]): Promise<unknown>
  readonly echo: { everything: { withResponse(params: object): Promise<{ headers: unknown }> } }
  readonly streams: {
    lines(params: object): AsyncIterable<unknown>
    events(params: object): AsyncIterable<unknown>
  }
}

export async function startLedger(int64: Int64): Promise<Ledger> {
  const { files } = await generate(document, undefined, int64)
  mkdirSync(join(folder, '.data'), { recursive: true })
  const directory = mkdtempSync(join(folder, '.data', `${int64}-`))
  for (const [path, text] of files) if (!path.includes('/')) writeFileSync(join(directory, path), text)
  const { contract }: { contract: Contract } = await import(join(directory, 'index.ts'))
  const { createClient } = await import(join(directory, 'client.ts'))
  const { schemas } = await import(join(directory, 'schemas.ts'))
  const given: unknown[] = []
  const answers: unknown[] = []
  const echo = (params: object): unknown => {
    given.push(params)
    return answers.length > 0 ? answers.shift() : params
  }
  const api = createApiOf<never, unknown, unknown, string>(contract, {
    logger: false,
    handlers: {
      echo: {
        everything: (params: { id: bigint }, { reply }: Replying) => {
          reply.header('X-Count', params.id)
          return echo(params)
        },
        form: echo,
        whole: ({ body }: { body: unknown }) => echo(body as object),
      },
      streams: {
        lines: async function* ({ from }: { from: unknown }) {
          yield { id: from, below: [{ id: from }] }
        },
        events: async function* ({ from }: { from: unknown }) {
          yield { event: 'node', data: { id: from } }
        },
      },
      errors: {
        own: ({ id }: { id: unknown }, { problem }: Replying) => {
          throw problem('not_found', String(id))
        },
        credit: (members: { id: unknown }, { problem }: Replying) => {
          throw problem('credit_exceeded', 'Too much', members)
        },
      },
    },
    errors: ({ code, detail = '0' }: { code: string; detail?: string }) => {
      if (code !== 'not_found') return undefined
      return { id: int64 === 'bigint' ? BigInt(detail) : int64 === 'string' ? detail : Number(detail) }
    },
  } as never)
  const served = await serveNode(api)
  const url = `http://127.0.0.1:${served.port}`
  return {
    served,
    contract,
    model: modelOf(int64),
    schemas,
    createClient,
    given,
    answer: (result) => void answers.push(result),
    overRest: createClient({ transport: rest(url) }),
    overJsonRpc: createClient({ transport: jsonrpc(url) }),
    inProcess: (name, params) => api.call(name as never, params as never),
    stop: async () => {
      await served.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function modelOf(int64: Int64): Model {
  const loaded = loadDocument('int64.yaml', { cwd: folder }).document
  const model = loaded && buildModel(loaded, undefined, undefined, int64).model
  if (model === undefined) throw new Error('The document has no model')
  return model
}

interface Replying {
  reply: { header(name: string, value: string | number | bigint): unknown }
  problem(code: string, detail: string, members?: object): Error
}
