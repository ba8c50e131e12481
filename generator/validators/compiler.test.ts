import { expect, it } from 'vitest'
import { generate, loadValidators } from '../../test/scenarios/scenario.js'

it('names a format in words that a caller knows', async () => {
  const { files } = await generate(`
paths:
  /visits:
    get:
      x-rpc-method: visits.list
      parameters:
        - { name: day, in: query, schema: { type: string, format: date } }
        - { name: start, in: query, schema: { type: string, format: date-time, x-timezone: true } }
      responses: { 204: { description: Done } }
`)
  const validate = loadValidators(files.get('validators.js') ?? '')['visits.list']?.params
  expect(validate?.({ day: 'today', start: 'now' })).toBe(false)
  expect(validate?.errors?.map(({ instancePath, message }) => [instancePath, message])).toEqual([
    ['/day', 'must match format "date"'],
    ['/start', 'must be an RFC 3339 date-time, whose offset may be missing'],
  ])
})

it('keeps a member __proto__ of a listed value and of a default', async () => {
  const { files } = await generate(`
paths:
  /visits:
    post:
      x-rpc-method: visits.add
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              properties:
                one: { enum: [{ "__proto__": 1 }, {}] }
                other: { const: { 'a"': [{ "__proto__": { b: 2 } }] } }
                filled: { default: { "__proto__": 3 } }
      responses: { 204: { description: Done } }
`)
  const validate = loadValidators(files.get('validators.js') ?? '')['visits.add']?.params
  const params = JSON.parse('{"one":{"__proto__":1},"other":{"a\\"":[{"__proto__":{"b":2}}]}}')
  expect(validate?.(params)).toBe(true)
  expect(JSON.stringify(params.filled)).toBe('{"__proto__":3}')
  expect(validate?.({ one: {} })).toBe(true)
  expect(validate?.({ other: { 'a"': [{}] } })).toBe(false)
})
