import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pieceText } from 'duet-runtime'
import { expect, it } from 'vitest'
import type { Json } from '../document/document.js'
import { emit } from '../emit/emit.js'
import { loadDocument } from '../load/load.js'
import { buildModel } from '../model/build/build.js'
import { MockResponses } from './answers.js'
import { contractOf } from './contract.js'
import { startMock } from './server.js'

const event =
  '{ required: [data], properties: { data: { contentMediaType: application/json, contentSchema: *tick } } }'
const document = (type: string, content: string) => `openapi: 3.2.0
info: { title: Ticks, version: 1.0.0 }
paths:
  /ticks:
    get:
      x-rpc-method: ticks.watch
      x-tick: &tick
        type: object
        required: [at, level]
        properties: { at: { type: integer }, level: { enum: [low, high] } }
      responses:
        "200": { description: Ticks, content: { ${type}: { ${content} } } }
`

async function modelled(type: string, content: string) {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-stream-'))
  try {
    writeFileSync(join(cwd, 'ticks.yaml'), document(type, content))
    const { document: loaded, files, diagnostics } = loadDocument('ticks.yaml', { cwd })
    const model = loaded && buildModel(loaded).model
    if (model === undefined) throw new Error(JSON.stringify(diagnostics))
    return { model, contract: await contractOf(await emit(model, files, 'ticks.yaml')) }
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

async function answer(type: string, content: string): Promise<string> {
  const { model, contract } = await modelled(type, content)
  const [operation] = model.operations
  const [media] = operation?.rest.answers ?? []
  if (operation === undefined || media === undefined) throw new Error('There is no stream')
  const pieces = new MockResponses(model, contract, '1').answer(operation, {}) as string | AsyncIterable<Json>
  if (typeof pieces === 'string') return pieces
  let text = ''
  for await (const piece of pieces) text += pieceText(piece, media)
  return text
}

const tick = { at: expect.any(Number), level: expect.stringMatching(/^(low|high)$/) }

it('of lines has one piece a line, made from the schema of the items', async () => {
  const lines = (await answer('application/jsonl', 'itemSchema: *tick')).split('\n')
  expect(lines.pop()).toBe('')
  expect(lines.map((line) => JSON.parse(line))).toEqual([tick, tick, tick])
})

it('of events has one event per piece, with data from its content schema', async () => {
  const events = (await answer('text/event-stream', `itemSchema: ${event}`)).split('\n\n')
  expect(events.pop()).toBe('')
  expect(events.map((text) => JSON.parse(text.replace(/^data: /, '')))).toEqual([tick, tick, tick])
})

it.each([
  ['itself', '*tick'],
  ['the items of an array', '{ type: array, items: *tick }'],
])('has pieces by the schema of the whole where there is no other: %s', async (_, schema) => {
  const events = (await answer('text/event-stream', `schema: ${schema}`)).split('\n\n')
  expect(events.pop()).toBe('')
  expect(events.map((text) => JSON.parse(text.replace(/^data: /, '')))).toEqual([tick, tick, tick])
})

it('of events has the fields of its schema, and data of several types', async () => {
  const add = '{ required: [event, data], properties: { event: { const: add }, data: { const: "a\\nb" } } }'
  const drop =
    '{ required: [event, data, id], properties: { event: { const: drop }, id: { const: "7" }, data: *tick } }'
  const events = (await answer('text/event-stream', `itemSchema: { oneOf: [${add}, ${drop}] }`)).split('\n\n')
  expect(events.pop()).toBe('')
  for (const text of events)
    expect(text).toMatch(/^(event: add\ndata: a\ndata: b|event: drop\nid: 7\ndata: \{.*\})$/)
})

it.each([
  ['text/event-stream', 'itemSchema: { type: string, const: a }', 'data: a\n\n'.repeat(3)],
  ['text/event-stream', 'itemSchema: { enum: [a, null], const: a }', 'data: "a"\n\n'.repeat(3)],
  ['text/event-stream', 'schema: { type: string }, example: a', 'data: a\n\n'],
  ['text/event-stream', 'schema: { type: string }, example: "id: 1\\ndata: a\\n\\n"', 'id: 1\ndata: a\n\n'],
  ['application/jsonl', 'itemSchema: { type: string, const: a }', '"a"\n'.repeat(3)],
])('of texts has one piece each: %s, %s', async (type, content, text) => {
  expect(await answer(type, content)).toBe(text)
})

it('of a sequence of JSON texts has a record separator before each', { tags: 'long' }, async () => {
  const texts = (await answer('application/json-seq', 'itemSchema: *tick')).split('\x1e')
  expect(texts.shift()).toBe('')
  expect(texts.map((text) => JSON.parse(text))).toEqual([tick, tick, tick])
})

it('is a response for each piece over JSON-RPC, for a caller that accepts events', async () => {
  const { model, contract } = await modelled('application/jsonl', 'itemSchema: *tick')
  const mock = await startMock(model, contract, { host: '127.0.0.1', port: 0, seed: '1' })
  try {
    const response = await fetch(mock.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: '{"jsonrpc":"2.0","id":1,"method":"ticks.watch","params":{}}',
    })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const data = [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(([, text = '']) =>
      JSON.parse(text),
    )
    expect(data.slice(0, 3)).toEqual([1, 2, 3].map(() => expect.objectContaining({ id: 1, result: tick })))
  } finally {
    await mock.close()
  }
})

it.each([
  ['image/*', 'image/jpeg'],
  ['application/pdf', 'application/pdf'],
  ['model/*', 'model/x.sample'],
])('a file of %s has a media type of the document', async (type, sent) => {
  const { model, contract } = await modelled(type, 'schema: {}')
  const [operation] = model.operations
  expect(operation && new MockResponses(model, contract, '1').answer(operation, {})).toMatchObject({
    type: sent,
  })
})
