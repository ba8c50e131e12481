import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { accepted, schemas, values } from '../../test/random-schemas.js'
import { runs } from '../../test/runs.js'
import { judgeOf } from '../contains/judge.js'
import { isSchema } from '../schema/schema.js'
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

it('accepts whatever the schema accepts', () => {
  const choosing = fc.record({ oneOf: fc.array(schemas, { minLength: 1, maxLength: 3 }) })
  const any = fc.oneof(schemas, choosing, fc.record({ not: schemas }))
  fc.assert(
    fc.property(any, fc.array(values, { minLength: 1, maxLength: 8 }), (given, tried) => {
      const plain = new PlainSchemas(new Map(), 4).value(isSchema(given) ? given : true)
      const accepts = judgeOf('2020-12', 'decimals').compile(plain)
      const taken = accepted(given, tried)
      expect(taken.filter((value) => typeof accepts !== 'function' || !accepts(value))).toEqual([])
    }),
    { numRuns: runs(150, 20_000) },
  )
})
