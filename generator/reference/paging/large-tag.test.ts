import { expect, it } from 'vitest'
import { modelOf } from '../../../test/fixtures/samples.js'
import { pageNames } from '../address.js'
import { emitReference } from '../site.js'

const reference = '#/components/schemas/Thing'

/** A document with so many operations under one tag. */
const documentOf = (count: number) => ({
  openapi: '3.1.1',
  info: { title: 'Shop', version: '1.0.0' },
  tags: [{ name: 'all', description: 'All of them.' }],
  paths: {
    ...Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `/do-${index}`,
        {
          get: {
            ...{ tags: ['all'], 'x-rpc-method': `all.n${index}`, summary: `Number ${index}` },
            responses: {
              200: { description: 'd', content: { 'application/json': { schema: { $ref: reference } } } },
            },
          },
        },
      ]),
    ),
    '/other': {
      get: { tags: ['other'], 'x-rpc-method': 'other.get', responses: { 204: { description: 'd' } } },
    },
  },
  components: { schemas: { Thing: { type: 'object', properties: { size: { type: 'integer' } } } } },
})

async function referenceOf(count: number) {
  const model = modelOf(documentOf(count))
  const pages = await emitReference(model, { versions: [], module: 'shop/client' })
  const html = [...pages].filter(([name]) => name.endsWith('.html'))
  return {
    model,
    pages: new Map(html.map(([name, text]) => [name.replace('reference/', ''), text])),
    all: pages,
  }
}

const sectionsOf = (page: string): string[] =>
  [...page.matchAll(/<section class="operation" id="([^"]*)"/g)].map(([, id = '']) => id)

it('a page has 50 operations of a tag at most, and every link to an operation leads to its page', async () => {
  const { model, pages, all } = await referenceOf(120)
  expect([...pages.keys()].sort()).toEqual(pageNames(model))
  const ofTag = [...pages].filter(([, text]) => sectionsOf(text).some((id) => id.startsWith('all.')))
  expect(ofTag.map(([, text]) => sectionsOf(text).length)).toEqual([50, 50, 20])
  expect(ofTag.flatMap(([, text]) => sectionsOf(text))).toEqual(
    Array.from({ length: 120 }, (_, index) => `all.n${index}`),
  )
  expect(sectionsOf(pages.get('other.html') ?? '')).toEqual(['other.get'])
  const links = [...pages.values(), all.get('reference/data.js') ?? ''].flatMap((text) => [
    ...text.matchAll(/"([\w.-]+\.html)#(all\.n\d+)"/g),
  ])
  expect(new Set(links.map(([, , name]) => name)).size).toBe(120)
  for (const [, page = '', name] of links) expect(sectionsOf(pages.get(page) ?? '')).toContain(name)
})

it('a page says which operations it has, and leads to those before and after at its top, its end and in the menu', async () => {
  const { pages } = await referenceOf(120)
  const [second = '', text = ''] = [...pages].find(([, page]) => sectionsOf(page).includes('all.n50')) ?? []
  expect(text.match(/Operations 51–100 of 120/g)).toHaveLength(2)
  expect(text).toContain('<title>All 51–100 · Shop 1.0.0</title>')
  expect(text.match(/href="all\.html" rel="prev"/g)).toHaveLength(3)
  expect(text.match(/href="all-3\.html" rel="next"/g)).toHaveLength(3)
  expect(text.match(new RegExp(`href="${second}" aria-current="page"`, 'g'))).toHaveLength(2)
  // The text on the tag is read once.
  expect(
    [...pages.values()].filter((page) => sectionsOf(page).length > 0 && page.includes('All of them.')),
  ).toHaveLength(1)
  const { pages: few } = await referenceOf(50)
  expect(few.get('all.html')).not.toContain('Operations 1')
})

it('pages do not grow with the number of operations of their tag', async () => {
  const sizeOf = async (count: number) => (await referenceOf(count)).pages.get('all.html')?.length ?? 0
  expect(await sizeOf(500)).toBeLessThan((await sizeOf(100)) * 1.02)
})

it('the page of a schema shows 50 of the operations that use it, the others folded', async () => {
  const { pages } = await referenceOf(53)
  const page = pages.get('schema.thing.html') ?? ''
  expect(page).toMatch(/<details class="children"><summary>3 more<\/summary><ul>(<li>[^\n]*\n?){3}<\/ul>/)
})
