import { describe, expect, it } from 'vitest'
import { addressesOf } from './address.js'
import { changesOf } from './changes.js'
import { Fields } from './fields.js'
import { inlineHtml, markdownHtml } from './markdown.js'
import { typeText } from './type-text.js'

describe('the name of a type', () => {
  it.each([
    [{ type: 'string', format: 'date-time' }, 'string (date-time)'],
    [{ type: 'array', items: { $ref: '#/components/schemas/Client' } }, 'array of Client'],
    [{ type: ['integer', 'null'] }, 'integer or null'],
    [{ enum: ['asc', 'desc'] }, '"asc" or "desc"'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'map of number'],
    [true, 'any'],
  ])('%j: %s', (schema, words) => {
    expect(typeText(schema as never)).toBe(words)
  })
})

it('lists the fields of an object, those of objects within it below, and leads to components', () => {
  const address = {
    type: 'object',
    properties: { city: { type: 'string', maxLength: 9 } },
    required: ['city'],
  }
  const client = { type: 'object', properties: { name: { type: 'string' } } }
  const schema = { type: 'object', properties: { address, client: { $ref: '#/components/schemas/Client' } } }
  const fields = new Fields(new Map([['Client', client]]))
  expect(fields.of(schema).map(({ name, depth, required, type }) => [name, depth, required, type])).toEqual([
    ['address', 0, false, [{ text: 'object' }]],
    ['city', 1, true, [{ text: 'string' }]],
    ['client', 0, false, [{ text: 'Client', href: '#schema-Client' }]],
  ])
  expect([...fields.linked]).toEqual(['Client'])
})

describe('Markdown of a description', () => {
  it.each([
    ['plain', '<p>plain</p>\n'],
    ['*a* <b>', '<p><em>a</em> &lt;b&gt;</p>\n'],
    ['[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>\n'],
    ['[x](other.html)', '<p>[x](other.html)</p>\n'],
    ['[x](https://a.example)', '<p><a href="https://a.example" rel="noopener noreferrer">x</a></p>\n'],
    ['# Title', '<p class="said-heading">Title</p>'],
  ])('%s', (text, html) => {
    expect(markdownHtml(text).trim()).toBe(html.trim())
  })

  it('has no paragraphs in a cell', () => {
    expect(inlineHtml('a\n  `b`\n')).toBe('a <code>b</code>')
    expect(inlineHtml('a "quoted" & b')).toBe('a &quot;quoted&quot; &amp; b')
  })
})

it('gives namespaces file names that are safe, and apart on every file system', () => {
  const names = ['clients', 'Clients', 'con', 'index', '../up', 'a b', 'a-b']
  const { page, operation } = addressesOf(names)
  const pages = names.map(page)
  expect(pages[0]).toBe('clients.html')
  expect(new Set(pages.map((name) => name.toLowerCase())).size).toBe(names.length)
  for (const name of pages) expect(name).toMatch(/^[a-z0-9][a-z0-9._-]*\.html$/)
  expect(pages).not.toContain('index.html')
  expect(pages).not.toContain('con.html')
  expect(operation({ name: 'clients.a b', namespace: 'clients' })).toBe('clients.html#clients.a%20b')
})

it('shows a change at every operation that it reaches, the worst first, and names removed ones', () => {
  const model = modelWith(['clients.get'])
  const found = changesOf(
    {
      since: '1.0.0',
      changes: [
        { level: 'compatible', protocols: both, operations: ['clients.get'], message: 'new', schema: null },
        {
          level: 'breaking',
          protocols: ['rest'],
          operations: ['clients.get', 'clients.gone'],
          message: 'moved',
          schema: null,
        },
      ],
    },
    model,
    addressesOf(['clients']),
  )
  expect(found?.of('clients.get')?.changes).toEqual([
    { level: 'breaking', message: 'moved', protocol: 'REST only' },
    { level: 'compatible', message: 'new', protocol: '' },
  ])
  expect(found?.summary).toMatchObject({
    changes: [
      {
        operations: [
          { name: 'clients.get', href: 'clients.html#clients.get' },
          { name: 'clients.gone', href: undefined },
        ],
      },
      { message: 'new' },
    ],
  })
  expect(found?.of('clients.search')).toBeUndefined()
})

it('names all operations that a change reaches, and shows changes of components there', () => {
  const names = Array.from({ length: 120 }, (_, index) => `clients.n${index}`)
  const change = { level: 'compatible', protocols: both, operations: names, schema: 'Client' } as const
  const words = { ...change, level: 'info', operations: [] } as const
  const found = changesOf(
    {
      since: '1.0.0',
      changes: [
        { ...words, message: 'other words' },
        { ...change, message: 'more' },
      ],
    },
    modelWith(names, ['Client']),
    addressesOf(['clients']),
  )
  const shown = [
    { level: 'compatible', message: 'more', protocol: '' },
    { level: 'info', message: 'other words', protocol: '' },
  ]
  const schema = { name: 'Client', href: 'schemas.html#schema-Client' }
  expect(found?.ofSchema('Client')?.changes).toEqual(shown)
  const named = (some: readonly string[]) => some.map((name) => ({ name, href: `clients.html#${name}` }))
  expect(found?.summary).toEqual({
    since: '1.0.0',
    changes: [
      {
        ...shown[0],
        ...{ operations: named(names.slice(0, 3)), more: 117, others: named(names.slice(3, 100)) },
        ...{ unnamed: 20, schema },
      },
      { ...shown[1], operations: [], more: 0, others: [], unnamed: 0, schema },
    ],
  })
})

const both = ['rest', 'jsonrpc'] as const

function modelWith(names: readonly string[], schemas: readonly string[] = []) {
  return {
    operations: names.map((name) => ({ name, namespace: 'clients' })),
    schemas: new Map(schemas.map((name) => [name, true])),
  } as never
}
