import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { modelOf } from '../../test/fixtures/samples.js'
import type { Json, JsonObject } from '../document/document.js'
import { loadDocument } from '../load/load.js'
import { buildModel } from '../model/build/build.js'
import { examplesOf } from './example.js'
import { emitReference } from './site.js'

const form = 'application/x-www-form-urlencoded'
const encoding = { settings: { style: 'deepObject', explode: true } }
const open = { type: 'object' }
const settings = {
  type: 'object',
  required: ['mode'],
  properties: {
    mode: { anyOf: [{ type: 'string' }, open] },
    card: { anyOf: [open, { enum: [''] }] },
    rows: { type: 'array', items: open },
  },
}

/** The example of an operation with a required param `name`, and `settings`. */
async function exampleOf(example: JsonObject, type = form, required = ['name']) {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-example-'))
  const schema = { type: 'object', required, properties: { name: { type: 'string' }, settings } }
  const post = {
    'x-rpc-method': 'c.make',
    requestBody: { required: true, content: { [type]: { schema, example, encoding } } },
    responses: { 204: { description: 'Made' } },
  }
  const document = { openapi: '3.1.0', info: { title: 'C', version: '1.0.0' }, paths: { '/c': { post } } }
  writeFileSync(join(cwd, 'openapi.json'), JSON.stringify(document))
  const loaded = loadDocument('openapi.json', { cwd })
  rmSync(cwd, { recursive: true })
  const model = loaded.document && buildModel(loaded.document).model
  const [operation] = model?.operations ?? []
  if (model === undefined || operation === undefined) throw new Error('The document has no operation')
  const { params, request, uncarried } = await examplesOf(model)(operation)
  const pages = await emitReference(model, { versions: [], module: '@c/api/client' })
  const page = pages.get(`reference/${operation.namespace}.html`) ?? ''
  const [words = ''] = /There are none over REST[^\n]*/.exec(page) ?? []
  const body = request?.body && decodeURIComponent(request.body)
  return { params, body, uncarried, words: words.replaceAll(/<[^>]*>/g, '') }
}

describe('an example in a form', () => {
  it('has no optional parts that hold nothing, of which a form has no trace', async () => {
    expect(await exampleOf({ name: 'a', settings: { mode: 'b', card: {}, rows: [{}, { c: 'd' }] } })).toEqual(
      {
        params: { name: 'a', settings: { mode: 'b', rows: [{ c: 'd' }] } },
        body: 'name=a&settings[mode]=b&settings[rows][0][c]=d',
        uncarried: [],
        words: '',
      },
    )
  })

  it('omits an optional param that has an empty required part', async () => {
    expect(await exampleOf({ name: 'a', settings: { mode: {}, card: { b: 'c' } } })).toEqual({
      params: { name: 'a' },
      body: 'name=a',
      uncarried: [],
      words: '',
    })
  })

  it('stays as it is if the param is required, and the page names it', async () => {
    const params = { name: 'a', settings: { mode: {}, card: { b: 'c' } } }
    expect(await exampleOf(params, form, ['name', 'settings'])).toEqual({
      params,
      body: undefined,
      uncarried: ['settings'],
      words: 'There are none over REST, which cannot carry settings of the example.',
    })
  })

  it('loses nothing in JSON, which carries all', async () => {
    const params = { name: 'a', settings: { mode: {}, card: {}, rows: [] } }
    const { params: shown, uncarried } = await exampleOf(params, 'application/json')
    expect([shown, uncarried]).toEqual([params, []])
  })
})

const texts = { type: 'array', items: { type: 'string' } }
const range = { type: 'object', properties: { from: { type: 'integer' }, to: { type: 'integer' } } }
const compact = { style: 'form', explode: false }
const pipes = { style: 'pipeDelimited', explode: false }
const spaces = { style: 'spaceDelimited', explode: false }
const deep = { style: 'deepObject', explode: true }

// OpenAPI 3.1, Parameter Object: an example is a value of the schema, or the text in the request.
it.each<[string, JsonObject, Json, Json]>([
  ['a text of a header', { in: 'header', schema: { type: 'string' } }, 'a', 'a'],
  ['a list of a header', { in: 'header', schema: texts }, ['a', 'b'], ['a', 'b']],
  ['the text of a header', { in: 'header', schema: texts }, 'a,b', ['a', 'b']],
  ['a list between bars', { in: 'query', schema: texts, ...pipes }, ['a', 'b'], ['a', 'b']],
  ['the text between bars', { in: 'query', schema: texts, ...pipes }, 'a|b', ['a', 'b']],
  ['a list between spaces', { in: 'query', schema: texts, ...spaces }, ['a', 'b'], ['a', 'b']],
  ['the text between spaces', { in: 'query', schema: texts, ...spaces }, 'a%20b', ['a', 'b']],
  ['the text between commas', { in: 'query', schema: texts, ...compact }, 'a,b', ['a', 'b']],
  ['repeated names', { in: 'query', schema: texts }, 'x=a&x=b', ['a', 'b']],
  ['an object in brackets', { in: 'query', schema: range, ...deep }, { from: 1 }, { from: 1 }],
  ['the text in brackets', { in: 'query', schema: range, ...deep }, 'x[from]=1&x[to]=2', { from: 1, to: 2 }],
  ['the text of a number', { in: 'query', schema: { type: 'integer' } }, '7', 7],
  ['a text of a text', { in: 'query', schema: { type: 'string' } }, 'a|b', 'a|b'],
  ['a text in no form', { in: 'query', schema: { type: 'integer' } }, 'seven', 'seven'],
])("a form begins with the document's example: %s", async (_, parameter, example, value) => {
  const get = {
    parameters: [{ name: 'x', ...parameter, example }],
    responses: { 204: { description: 'Done' } },
  }
  expect((await firstExample(get)).params).toEqual({ x: value })
})

it('a form begins without what fits one call: a key, or a version', async () => {
  const names = ['Idempotency-Key', 'If-Match', 'If-Modified-Since', 'X-Mark']
  const header = (name: string) => ({ name, in: 'header', schema: { type: 'string' }, example: 'a' })
  const get = { parameters: names.map(header), responses: { 204: { description: 'Done' } } }
  expect(Object.keys((await firstExample(get)).params ?? {})).toEqual(['X-Mark'])
})

async function firstExample(get: JsonObject) {
  const model = modelOf({
    openapi: '3.1.0',
    info: { title: 'X', version: '1.0.0' },
    paths: { '/x': { get } },
  })
  const [operation] = model.operations
  if (operation === undefined) throw new Error('The document has no operation')
  return await examplesOf(model)(operation)
}

it('escapes only the markup in the code of a page, which has many quotes', async () => {
  const model = modelOf({
    openapi: '3.1.0',
    info: { title: 'X', version: '1.0.0' },
    paths: {
      '/x': {
        get: {
          'x-rpc-method': 'x.get',
          parameters: [{ name: 'a', in: 'query', example: '</code>"&', schema: { type: 'string' } }],
          responses: { 204: { description: 'Done' } },
        },
      },
    },
  })
  const pages = await emitReference(model, { versions: [], module: '@x/api/client' })
  expect(pages.get('reference/x.html')).toContain('"a": "&lt;/code&gt;')
})

const small = { summary: 'A small one', description: 'As *most* are.', value: { size: 1 } }
const large = { summary: 'A large one', value: { size: 9 } }
const sizes = { type: 'object', properties: { size: { type: 'integer' }, of: { type: 'string' } } }

it('shows all named examples of requests and responses, each once', async () => {
  const content = (examples: JsonObject) => ({ 'application/json': { schema: sizes, examples } })
  const put = {
    'x-rpc-method': 'x.put',
    parameters: [{ name: 'of', in: 'query', schema: { type: 'string' } }],
    requestBody: { required: true, content: content({ a: large, b: small, c: { value: { size: 9 } } }) },
    responses: {
      200: {
        description: 'Done',
        content: content({ b: { summary: 'Was small', value: { size: 1 } }, d: { value: { size: 4 } } }),
      },
    },
  }
  const model = modelOf({
    openapi: '3.1.0',
    info: { title: 'X', version: '1.0.0' },
    paths: { '/x': { put } },
  })
  const [operation] = model.operations
  if (operation === undefined) throw new Error('The document has no operation')
  const { requests, results } = await examplesOf(model)(operation)
  expect(requests.map(({ name, params }) => [name, params])).toEqual([
    ['a', { size: 9 }],
    ['b', { size: 1 }],
  ])
  expect(results.map(({ name, result }) => [name, result])).toEqual([
    ['b', { size: 1 }],
    ['d', { size: 4 }],
  ])
  const pages = await emitReference(model, { versions: [], module: '@x/api/client' })
  const page = pages.get('reference/x.html') ?? ''
  const named = [...page.matchAll(/<details [^>]*data-example="(.)"><summary.*?<\/details>/gs)]
  expect(named.map(([all, name]) => [name, all.replaceAll(/<[^>]*>|\s+/g, ' ').trim()])).toEqual([
    ['a', expect.stringMatching(/^A large one/)],
    ['b', expect.stringMatching(/^A small one *As *most *are\. *\{ "size": 1 \}$/)],
    [
      'd',
      expect.stringMatching(
        /^d *200 *200, REST *\{ "size": 4 \} *200, JSON-RPC .*"result": \{ "size": 4 \} \}$/,
      ),
    ],
  ])
})

it('a single example leaves nothing to pick', async () => {
  const get = {
    parameters: [{ name: 'x', in: 'query', examples: { a: { value: '1' } }, schema: { type: 'string' } }],
    responses: { 204: { description: 'Done' } },
  }
  const { requests, results } = await firstExample(get)
  expect([requests, results]).toEqual([[], []])
})

it('shows values of enums and results with the digits that the document writes', async () => {
  const text = `{"openapi":"3.1.0","info":{"title":"X","version":"1.0.0"},"paths":{"/x":{"get":{
    "parameters":[{"name":"id","in":"query","schema":{"enum":[9007199254740993]}}],
    "responses":{"200":{"description":"Done","content":{"application/json":{
      "schema":{"type":"array","items":{"type":"integer"}},"example":[9007199254740995]}}}}}}}}`
  const cwd = mkdtempSync(join(tmpdir(), 'duet-digits-'))
  writeFileSync(join(cwd, 'openapi.json'), text)
  const { document } = loadDocument('openapi.json', { cwd })
  rmSync(cwd, { recursive: true })
  const model = document && buildModel(document).model
  if (model === undefined) throw new Error('The document cannot be read')
  const page = (await emitReference(model, { versions: [], module: '@x/api/client' })).get('reference/x.html')
  expect(page).toContain('9007199254740993')
  expect(page).toContain('9007199254740995')
})

it('shows further responses over each protocol, and names errors by what they say', async () => {
  const error = (message: string) => ({ value: { error: { message } } })
  const content = (examples: JsonObject) => ({ 'application/json': { schema: open, examples } })
  const get = {
    'x-rpc-method': 'x.get',
    'x-mcp': true,
    parameters: [{ name: 'n', in: 'query', schema: { type: 'integer' } }],
    responses: {
      200: { description: 'Done', content: content({ a: { value: { a: 1 } }, b: { value: { b: 2 } } }) },
      400: { description: 'Wrong', content: content({ x: error('No page'), y: error('No shelf') }) },
    },
  }
  const model = modelOf({
    openapi: '3.1.0',
    info: { title: 'X', version: '1.0.0' },
    paths: { '/x': { get } },
  })
  const page = (await emitReference(model, { versions: [], module: '@x/api/client' })).get('reference/x.html')
  const further = [...String(page).matchAll(/<details class="example further".*?<\/details>/gs)]
  const texts = further.map(([all]) =>
    all
      .replaceAll(/<[^>]*>|\s+/g, ' ')
      .replaceAll(/ +/g, ' ')
      .trim(),
  )
  expect(texts).toEqual([
    [
      'b 200 200, REST { "b": 2 }',
      '200, JSON-RPC { "jsonrpc": "2.0", "id": 1, "result": { "b": 2 } }',
      '200, MCP { "jsonrpc": "2.0", "id": 1, "result": { "content": [ { "type": "text", "text": "{\\"b\\":2}" } ], "structuredContent": { "b": 2 } } }',
    ].join(' '),
    [
      'No shelf 400 400, REST { "error": { "message": "No shelf" } }',
      '400, JSON-RPC { "jsonrpc": "2.0", "id": 1, "error": { "code": -32602, "message": "Validation failed", "data": { "error": { "message": "No shelf" } } } }',
      '400, MCP { "jsonrpc": "2.0", "id": 1, "result": { "content": [ { "type": "text", "text": "Validation failed (validation_failed)" } ], "isError": true, "structuredContent": { "error": { "message": "No shelf" } } } }',
    ].join(' '),
  ])
})

it('says of a response whether it is made from the schema, unless it is empty', async () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } } }
  const get = (name: string, content: JsonObject) => ({
    get: { 'x-rpc-method': `x.${name}`, responses: { 200: { description: 'Done', ...content } } },
  })
  const json = (media: JsonObject) => ({ content: { 'application/json': { schema, ...media } } })
  const model = modelOf({
    openapi: '3.1.0',
    info: { title: 'X', version: '1.0.0' },
    paths: {
      '/made': get('made', json({})),
      '/stated': get('stated', json({ example: { city: 'Rome' } })),
      '/empty': get('empty', {}),
    },
  })
  const page = (await emitReference(model, { versions: [], module: '@x/api/client' })).get('reference/x.html')
  const marked = String(page)
    .split('<section class="operation"')
    .slice(1)
    .map((section) => [
      /id="(.*?)"/.exec(section)?.[1],
      /data-status="200">Made from the schema/.test(section),
    ])
  expect(Object.fromEntries(marked)).toEqual({ 'x.made': true, 'x.stated': false, 'x.empty': false })
})

it('reads Markdown of servers and of external documentation', async () => {
  const model = modelOf({
    openapi: '3.1.0',
    info: { title: 'X', version: '1.0.0' },
    externalDocs: { url: 'https://a.example', description: 'The **guide**' },
    servers: [{ url: 'https://b.example', description: 'The *main* server' }],
    paths: { '/x': { get: { responses: { 204: { description: 'Done' } } } } },
  })
  const files = await emitReference(model, { versions: [], module: '@x/api/client' })
  const page = files.get('reference/index.html')
  expect(page).toContain('rel="noopener noreferrer">The <strong>guide</strong></a>')
  expect(page).toContain('dir="auto">The <em>main</em> server</span>')
  // An option of a list has no elements.
  expect(page).toContain('"description":"The main server"')
})
