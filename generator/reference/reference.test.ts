import { describe, expect, it } from 'vitest'
import { addressesOf } from './address.js'
import { changesOf } from './changes.js'
import { Fields } from './fields/fields.js'
import { typeText } from './fields/type-text.js'
import { inlineHtml, linkHtml, markdownHtml, wordsOf } from './html/markdown.js'

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
  const fields = new Fields(new Map([['Client', client]]), (name) => `schema.${name.toLowerCase()}.html`)
  expect(fields.of(schema).map(({ name, depth, required, type }) => [name, depth, required, type])).toEqual([
    ['address', 0, false, [{ text: 'object' }]],
    ['city', 1, true, [{ text: 'string' }]],
    ['client', 0, false, [{ text: 'Client', href: 'schema.client.html' }]],
  ])
})

describe('Markdown of a description', () => {
  it.each([
    ['plain', '<p>plain</p>\n'],
    ['*a* <api_key>', '<p><em>a</em> &lt;api_key&gt;</p>\n'],
    ['a <custom-x>c</custom-x> <mtext>d</mtext> </e>', '<p>a c d </p>\n'],
    ['[x](javascript:alert(1))', '<p><span>x</span></p>\n'],
    ['[x](other.html)', '<p><span>x</span></p>\n'],
    [
      'see https://a.example',
      '<p>see <a href="https://a.example" rel="noopener noreferrer">https://a.example</a></p>',
    ],
    ['<p>a <b>b</b></p>', '<p>a <b>b</b></p>'],
    ['<ul><li>a</li></ul>', '<ul><li>a</li></ul>'],
    [
      'a <a href="https://a.example" onclick="x()">b</a>',
      '<p>a <a href="https://a.example" rel="noopener noreferrer">b</a></p>',
    ],
    ['a <a href="javascript:x()">b</a>', '<p>a <span>b</span></p>'],
    ['<script>x()</script>', ''],
    ['a <img src=x onerror=x()> b', '<p>a  b</p>'],
    ['<p style="color: red" class="bar">a', '<p>a</p>'],
    ['<h1>a</h1>', '<p class="said-heading">a</p>'],
    ['[x](https://a.example)', '<p><a href="https://a.example" rel="noopener noreferrer">x</a></p>\n'],
    [
      'a ![b & c](https://a.example/b.png) d',
      '<p>a <a href="https://a.example/b.png" rel="noopener noreferrer">b &amp; c</a> d</p>',
    ],
    [
      '[![b](https://a.example/b.png)](https://a.example)',
      '<p><a href="https://a.example" rel="noopener noreferrer">b</a></p>',
    ],
    ['a ![b](b.png)', '<p>a b</p>'],
    ['a ![b](javascript:x)', '<p>a b</p>'],
    ['# Title', '<p class="said-heading">Title</p>'],
  ])('%s', (text, html) => {
    expect(markdownHtml(text).trim()).toBe(html.trim())
  })

  it('has no paragraphs in a cell', () => {
    expect(inlineHtml('a\n  `b`\n')).toBe('a <code>b</code>')
    expect(inlineHtml('a "quoted" & b')).toBe('a &quot;quoted&quot; &amp; b')
  })

  it('has no links in a link, and words alone in a list', () => {
    const text = 'See the **guide** & [a link](https://a.example)'
    expect(linkHtml(text)).toBe('See the <strong>guide</strong> &amp; a link')
    expect(wordsOf(text)).toBe('See the guide & a link')
  })
})

it('gives namespaces file names that are safe, and apart on every file system', () => {
  const names = ['clients', 'Clients', 'con', 'index', '../up', 'a b', 'a-b']
  const { page, operation } = addressesOf(operationIn(names))
  const pages = names.map(page)
  expect(pages[0]).toBe('clients.html')
  expect(new Set(pages.map((name) => name.toLowerCase())).size).toBe(names.length)
  for (const name of pages) expect(name).toMatch(/^[a-z0-9][a-z0-9._-]*\.html$/)
  expect(pages).not.toContain('index.html')
  expect(pages).not.toContain('con.html')
  expect(operation({ name: 'clients.a b', namespace: 'clients' })).toBe('clients.html#clients.a%20b')
})

it('gives a namespace of many operations further pages, whose names no other has', () => {
  const many = Array.from({ length: 101 }, (_, index) => ({ name: `all.n${index}`, namespace: 'all' }))
  const { page, pages, operation } = addressesOf([...many, { name: 'all-2.get', namespace: 'all-2' }])
  const [first, second = '', ...others] = pages('all')
  expect([first, page('all'), page('all-2'), ...others]).toEqual([
    'all.html',
    'all.html',
    'all-2.html',
    'all-3.html',
  ])
  expect(second).toMatch(/^all-2-[0-9a-f]{8}\.html$/)
  const at = (index: number) => operation(many[index] ?? expect.fail())
  expect([at(0), at(49), at(50), at(99), at(100)]).toEqual([
    'all.html#all.n0',
    'all.html#all.n49',
    `${second}#all.n50`,
    `${second}#all.n99`,
    'all-3.html#all.n100',
  ])
})

it('gives schemas file names of their own, apart from those of namespaces', () => {
  const { page, schema } = addressesOf(operationIn(['schema.client']), ['Client', 'client', 'a/b', 'Order'])
  const pages = [page('schema.client'), ...['Client', 'client', 'a/b', 'Order'].map(schema)]
  expect(new Set(pages).size).toBe(pages.length)
  for (const name of pages) expect(name).toMatch(/^[a-z0-9][a-z0-9._-]*\.html$/)
  expect(schema('Order')).toBe('schema.order.html')
  expect(schema('Unknown')).toBe('schemas.html')
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
    addressesOf(operationIn(['clients'])),
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
    addressesOf(operationIn(['clients']), ['Client']),
  )
  const shown = [
    { level: 'compatible', message: 'more', protocol: '' },
    { level: 'info', message: 'other words', protocol: '' },
  ]
  const schema = { name: 'Client', href: 'schema.client.html' }
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

const operationIn = (namespaces: readonly string[]) =>
  namespaces.map((namespace) => ({ name: `${namespace}.get`, namespace }))

function modelWith(names: readonly string[], schemas: readonly string[] = []) {
  return {
    operations: names.map((name) => ({ name, namespace: 'clients' })),
    schemas: new Map(schemas.map((name) => [name, true])),
  } as never
}
