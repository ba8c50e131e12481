import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { emit } from '../emit/emit.js'
import { loadDocument } from '../load/load.js'
import { buildModel } from '../model/build/build.js'
import { Answers } from './answers.js'
import { contractOf } from './contract.js'

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

async function answer(type: string, content: string): Promise<string> {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-stream-'))
  try {
    writeFileSync(join(cwd, 'ticks.yaml'), document(type, content))
    const { document: loaded, files, diagnostics } = loadDocument('ticks.yaml', { cwd })
    const model = loaded && buildModel(loaded).model
    if (model === undefined) throw new Error(JSON.stringify(diagnostics))
    const contract = await contractOf(await emit(model, files, 'ticks.yaml'))
    const [operation] = model.operations
    if (operation === undefined) throw new Error('There is no operation')
    return String(new Answers(model, contract, '1').answer(operation, {}))
  } finally {
    rmSync(cwd, { recursive: true })
  }
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

it('of a sequence of JSON texts has a record separator before each', { tags: 'long' }, async () => {
  const texts = (await answer('application/json-seq', 'itemSchema: *tick')).split('\x1e')
  expect(texts.shift()).toBe('')
  expect(texts.map((text) => JSON.parse(text))).toEqual([tick, tick, tick])
})
