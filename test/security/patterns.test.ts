import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Served, serveNode } from '../../runtime/fixtures/serve.js'
import { type Contract, createApiOf } from '../../runtime/index.js'
import { generate } from '../scenarios/scenario.js'
import { call } from './target.js'

const word = (pattern: string) => ({ type: 'string', pattern })
const document = {
  openapi: '3.1.1',
  info: { title: 'Words', version: '1.0.0' },
  paths: {
    '/words': {
      post: {
        operationId: 'words.add',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  exponential: word('^(a+)+$'),
                  quadratic: word('a+b'),
                  looking: word('^(?=(a+)+b)'),
                  counted: word('^(a?){40}a{40}$'),
                  names: { type: 'object', patternProperties: { '^(a+)+$': { type: 'integer' } } },
                },
              },
            },
          },
        },
        responses: { 204: { description: 'Done' } },
      },
    },
  },
}

let served: Served
let directory: string
beforeAll(async () => {
  const { files } = await generate(document)
  const data = fileURLToPath(new URL('.data', import.meta.url))
  mkdirSync(data, { recursive: true })
  directory = mkdtempSync(join(data, 'words-'))
  for (const [path, text] of files) writeFileSync(join(directory, path), text)
  const contract: Contract = (await import(join(directory, 'index.ts'))).contract
  const handlers = { words: { add: () => undefined } }
  served = await serveNode(
    createApiOf<never, unknown, unknown, string>(contract, { handlers, authenticate: () => ({}) }),
  )
})
afterAll(async () => {
  await served?.close()
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true })
})

const long = `${'a'.repeat(100_000)}!`

test.each([
  ['exponential', long, 'pattern'],
  ['quadratic', long, 'pattern'],
  ['looking', long, 'pattern'],
  ['counted', `${'a'.repeat(60)}!`, 'pattern'],
  ['names', { [long]: 'any' }, undefined],
])(
  'a text made for a pattern that is %s is answered at once over both protocols',
  async (name, value, keyword) => {
    const params = { [name]: value }
    const ask = {
      rest: async () => (await served.ask('/words', { method: 'POST', body: params })).json?.errors,
      rpc: async () => (await served.rpc(call('words.add', params))).json.error?.data.errors,
    }
    for (const once of [ask.rest, ask.rpc]) {
      await once()
      const start = process.cpuUsage()
      const errors = await once()
      const { user, system } = process.cpuUsage(start)
      // The client runs in this process too: without a pattern a body of this size takes five to ten milliseconds.
      expect((user + system) / 1000).toBeLessThan(500)
      expect(errors?.[0]?.keyword).toBe(keyword)
    }
  },
)
