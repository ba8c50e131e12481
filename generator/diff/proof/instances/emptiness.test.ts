import { expect, it } from 'vitest'
import { sidesOf } from '../../../../test/diff/compared.js'
import { compare } from '../../compare.js'
import { prove } from '../prove.js'

async function told(old: string, fresh: string): Promise<string[]> {
  const document = (schema: string): string => `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
paths:
  /a:
    post:
      operationId: a.do
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [a], properties: { a: ${schema} } } } } }
      responses: { 200: { description: Fine } }
`
  const sides = await sidesOf(document(old), document(fresh))
  const { changes } = await prove(compare(...sides), ...sides)
  return changes.map(({ level, message, proof }) =>
    [level, message, ...(proof.status === 'unproven' ? [proof.reason] : [])].join(' | '),
  )
}

const [some, none] = [
  '{ type: string, minLength: 5 }',
  '{ type: string, minLength: 5, allOf: [{ maxLength: 3 }] }',
]

it('a schema that can hold no value is said to be so', async () => {
  expect(await told(some, none)).toEqual([
    'breaking | /a of the request body: a branch was added to `allOf` ({"maxLength":3}); the new schema can hold no value',
  ])
})

it('so is one that could hold none, of which nothing can break', async () => {
  expect(await told(none, some)).toEqual([
    'compatible | /a of the request body: a branch was removed from `allOf` (was {"maxLength":3}); the old schema can hold no value',
  ])
})
