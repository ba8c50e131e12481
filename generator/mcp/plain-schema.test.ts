import { expect, it } from 'vitest'
import { PlainSchemas } from './plain-schema.js'

const schema = {
  type: 'object',
  properties: {
    at: { type: 'integer', format: 'unix-time' },
    day: { type: 'string', format: 'date' },
  },
}

it('keeps formats that validators do not know in arguments alone', () => {
  const shown = (isResult: boolean) =>
    new PlainSchemas(new Map(), 8, undefined, isResult).object(schema, false, new Set())
  expect(shown(false)).toEqual(schema)
  expect(shown(true)).toEqual({
    type: 'object',
    properties: { at: { type: 'integer' }, day: { type: 'string', format: 'date' } },
  })
})
