import { expect, it } from 'vitest'
import { contentsOf } from './contents.js'

const components = { schemas: { A: { type: 'string', readOnly: true } } }
const pathOf = (schema: Record<string, string>) => ({ '/a': { get: { schema } } })

it('keeps components alone where nothing else is referred to', () => {
  const { root, marks, isEvaluated } = contentsOf({
    paths: pathOf({ $ref: '#/components/schemas/A' }),
    components,
  })
  expect(root).toEqual({ components })
  expect([...marks]).toEqual(['readOnly'])
  expect(isEvaluated).toBe(false)
})

it.each([{ $ref: '#/paths/~1b' }, { $id: 'https://a.example/a' }, { $anchor: 'a' }])(
  'keeps the whole document where %j leads elsewhere',
  (schema) => {
    const document = { paths: pathOf(schema as Record<string, string>), components }
    expect(contentsOf(document).root).toBe(document)
  },
)

it('sees what asks for evaluated parts', () => {
  expect(contentsOf({ paths: { a: { unevaluatedItems: {} } } }).isEvaluated).toBe(true)
  expect(contentsOf({ paths: { a: { unevaluatedProperties: true } } }).isEvaluated).toBe(false)
})
