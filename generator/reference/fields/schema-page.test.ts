import { expect, it } from 'vitest'
import { modelOf } from '../../../test/fixtures/samples.js'
import type { JsonObject } from '../../document/document.js'
import { emitReference } from '../site.js'

/** A page of a document with an operation whose params are the properties. */
async function pageOf(page: string, schemas: JsonObject, properties: JsonObject): Promise<string> {
  const schema = { type: 'object', properties }
  const model = modelOf({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1.0.0' },
    paths: {
      '/items': {
        post: {
          'x-rpc-method': 'items.create',
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: { 204: { description: 'Done' } },
        },
      },
    },
    components: { schemas },
  })
  const pages = await emitReference(model, { versions: [], module: 'shop/client' })
  return pages.get(`reference/${page}.html`) ?? ''
}

const valuesOf = (count: number, text: (index: number) => string) => ({
  enum: Array.from({ length: count }, (_, index) => text(index)),
})
const folded = /<details class="children"><summary>([^<]*)<\/summary><p class="values">(.*)<\/p><\/details>/g

it('a page has all values of an enumeration, the first twelve open', async () => {
  const [Code, Short] = [valuesOf(14, (index) => `<${index}>`), valuesOf(12, String)]
  const own = await pageOf('schema.code', { Code, Short }, { code: { $ref: '#/components/schemas/Code' } })
  const values = '<code>"&lt;12&gt;"</code> <code>"&lt;13&gt;"</code> '
  expect([...own.matchAll(folded)].map(([, ...parts]) => parts)).toEqual([['2 more', values]])
  expect(await pageOf('schema.short', { Code, Short }, {})).toBe('')

  const operation = await pageOf('items', { Code }, { code: { $ref: '#/components/schemas/Code' } })
  expect(operation).toContain('<a href="schema.code.html">Code</a>')
  const within = await pageOf('items', {}, { codes: { type: 'array', items: Code } })
  expect([...within.matchAll(folded)].map(([, ...parts]) => parts)).toEqual([['2 more', values]])
})

it('values that are too many for a page are in the document', async () => {
  const Code = valuesOf(13 + 5, (index) => `${index}`.padEnd(9_998, 'x'))
  const [, , values = ''] = [...(await pageOf('schema.code', { Code }, {})).matchAll(folded)][0] ?? []
  expect(values.match(/<code>/g)).toHaveLength(5)
  expect(values).toContain('and 1 more in <a href="../openapi.json">the OpenAPI document</a>')
})

it('a page of alternatives says once that it is one of them, with links to their pages', async () => {
  const kindOf = (kind: string) => ({
    type: 'object',
    required: ['kind'],
    properties: { kind: { const: kind }, of: { type: 'string' } },
  })
  const refs = ['Cat', 'Dog'].map((name) => ({ $ref: `#/components/schemas/${name}` }))
  const schemas = { Cat: kindOf('cat'), Dog: kindOf('dog'), Animal: { oneOf: refs } }
  const page = await pageOf('schema.animal', schemas, { animal: refs[0] as JsonObject })
  const [head = ''] = /<div class="head">[\s\S]*?<div class="console">/.exec(page) ?? []
  expect(head).toContain('<p class="choice">One of:</p>')
  expect(head.match(/href="schema\.(?:cat|dog)\.html"/g)).toEqual([
    'href="schema.cat.html"',
    'href="schema.dog.html"',
  ])
  const rows = [...head.matchAll(/<li id="([^"]*)"/g)].map(([, id]) => id)
  expect(rows).toEqual(['field/kind', 'field/of', 'field/kind~2', 'field/of~2'])
})

it('alternatives open on the page of a choice, also of itself, as far as there is room', async () => {
  const field = (index: number) => [`of${index}`, { type: 'string' }] as const
  const large = (index: number) => ({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 40 }, (_, at) => field(index * 40 + at))),
  })
  const names = ['A', 'B', 'C', 'D', 'E']
  const within = {
    type: 'object',
    properties: { parts: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
  }
  const refs = [...names, 'Branch'].map((name) => ({ $ref: `#/components/schemas/${name}` }))
  const schemas = {
    ...Object.fromEntries(names.map((name, index) => [name, large(index)])),
    ...{ Branch: within, Tree: { oneOf: refs } },
  }
  const page = await pageOf('schema.tree', schemas, { tree: { $ref: '#/components/schemas/Tree' } })
  const branches = [...page.matchAll(/<details class="branch"[\s\S]*?<\/details>/g)].map(([text]) => text)
  expect(branches.map((text) => text.match(/<li /g)?.length ?? 0)).toEqual([40, 40, 40, 0, 0, 1])
  for (const [index, name] of [...names, 'Branch'].entries())
    expect(branches[index]).toContain(`href="schema.${name.toLowerCase()}.html"`)
})
