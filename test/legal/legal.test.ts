import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { JsonObject } from '../../generator/document/document.js'
import { type Served, serveNode } from '../../runtime/fixtures/serve.js'
import { type Contract, createApiOf } from '../../runtime/index.js'
import { Workshop } from '../hostile/compile.js'
import { generate } from '../scenarios/scenario.js'
import { legal } from './documents.js'

// Legal documents that broke other generators. Each is generated, compiled with all the others, loaded and called.

const root = join(fileURLToPath(new URL('.', import.meta.url)), '.data')
const names = Object.keys(legal)
let workshop: Workshop
let errors: string

beforeAll(async () => {
  mkdirSync(root, { recursive: true })
  workshop = new Workshop(mkdtempSync(join(root, 'documents-')))
  for (const [index, name] of names.entries()) {
    const { document = '', uses } = legal[name] ?? {}
    const { files, diagnostics } = await generate(document)
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    expect(errors, name).toEqual([])
    workshop.writeAll(`src/d${index}`, files)
    if (uses !== undefined) workshop.write(`src/d${index}/uses.ts`, `${uses}\n`)
  }
  errors = workshop.compile()
})

afterAll(() => {
  workshop.remove()
  rmSync(root, { recursive: true, force: true })
})

interface Callable {
  call(name: string, params: object, options: object): Promise<unknown>
}

describe.each(names)('%s', (name) => {
  const index = names.indexOf(name)
  const { document = '', calls = [], rest = [], broke = '' } = legal[name] ?? {}
  let api: Callable
  let served: Served

  beforeAll(async () => {
    const { contract }: { contract: Contract } = await import(join(workshop.folder, `src/d${index}/index.ts`))
    const op = (params: object) => ('body' in params ? params.body : params)
    const handlers = new Proxy(
      { x: { op } },
      { get: (own, key) => Reflect.get(own, key) ?? new Proxy({}, { get: () => op }) },
    )
    const made = createApiOf<never, unknown, unknown, string>(contract, {
      handlers,
      authenticate: () => ({}),
    } as never)
    served = await serveNode(made)
    api = made as unknown as Callable
  })

  afterAll(() => served?.close())

  it(`compiles (${broke})`, () => {
    expect(
      errors
        .split('\n')
        .filter((line) => line.startsWith(`src/d${index}/`) || line.includes(`/src/d${index}/`)),
    ).toEqual([])
  })

  it('behaves over JSON-RPC and in process as documented', async () => {
    for (const [params, answer] of calls) {
      const outcome = await served.rpc({ jsonrpc: '2.0', id: 1, method: 'x.op', params })
      const direct = api.call('x.op', params, {})
      if (answer === undefined) {
        expect(outcome.json.error?.code, JSON.stringify(params)).toBe(-32602)
        await expect(direct).rejects.toMatchObject({ code: 'validation_failed' })
      } else {
        expect(JSON.stringify(outcome.json.result ?? outcome.json)).toBe(JSON.stringify(answer))
        expect(JSON.stringify(await direct)).toBe(JSON.stringify(answer))
      }
    }
  })

  it('behaves over REST as documented', async () => {
    const posted = document.includes('post:') && !document.includes('multipart')
    for (const [params, answer] of posted ? calls : []) {
      const body = 'body' in params ? params.body : params
      const outcome = await served.ask('/op', { method: 'POST', body })
      expect(outcome.status, outcome.text).toBe(answer === undefined ? 400 : 200)
      if (answer !== undefined) expect(outcome.text).toBe(JSON.stringify(answer))
    }
    for (const { method, target, body, answer } of rest) {
      const outcome = await served.ask(target, { method, body })
      expect(outcome.text).toBe(JSON.stringify(answer))
    }
  })

  it('gives the same bytes whatever the order of its keys', { tags: 'long' }, async () => {
    const read = parse(document) as JsonObject
    const whole = { openapi: '3.1.0', info: { title: 'Scenario', version: '1.0.0' }, ...read } as JsonObject
    const [there, back] = [await generate(whole), await generate(reversed(whole) as JsonObject)]
    for (const [path, text] of there.files) {
      if (path !== 'manifest.json' && path !== 'openapi.json') expect(back.files.get(path), path).toBe(text)
    }
  })
})

it('imports nothing by require, which ES modules do not have', async () => {
  const { files } = await generate(legal['formats of every kind']?.document ?? '')
  expect(files.get('validators.js')).not.toMatch(/\brequire\(/)
})

it('leaves no error of the compiler unread', () => {
  expect(errors).toBe('')
})

/** The value with the members of every object in the reverse order. Lists keep theirs. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).reverse()
  const result = {}
  for (const [key, member] of entries)
    Object.defineProperty(result, key, {
      value: reversed(member),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  return result
}
