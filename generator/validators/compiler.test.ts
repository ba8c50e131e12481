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
