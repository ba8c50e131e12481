import { fullFormats as ajvFormats } from 'ajv-formats/dist/formats.js'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { runs } from '../../test/runs.js'
import { fullFormats } from '../validation.js'

const checks = Object.entries(fullFormats).flatMap(
  ([name, format]): [string, (text: string) => unknown][] => {
    const { validate = format } = typeof format === 'object' && 'validate' in format ? format : {}
    if (typeof format === 'object' && 'type' in format && format.type === 'number') return []
    if (validate instanceof RegExp) return [[name, (text) => validate.test(text)]]
    return typeof validate === 'function' ? [[name, validate as (text: string) => unknown]] : []
  },
)

const starts = ['', 'http://', 'a@', 'a@a.', '#', 'P', 'a:', '//']
const repeated = ['a', '1', 'a.', 'a-', '@', ':', '/', '/@a.de', '%41', '{a}', ' ', '(']

describe('a format', () => {
  it.each(checks)('%s is checked in linear time', (_, check) => {
    const length = 20_000
    for (const start of starts)
      for (const part of repeated) {
        const text = `${start}${part.repeat(length / part.length)}!`
        const before = process.cpuUsage()
        check(text)
        const { user, system } = process.cpuUsage(before)
        // Linear time is a tenth of a millisecond or two; quadratic time is most of a second.
        expect([start, part, (user + system) / 1000 < 200]).toEqual([start, part, true])
      }
  })
})

test('accepts the same urls as ajv-formats', { tags: 'long' }, () => {
  const { url: expected } = ajvFormats
  const { url } = fullFormats
  const scheme = fc.constantFrom('http://', 'https://', 'ftp://', 'HTTP://', 'http:/', 'ws://', '')
  const part = fc.constantFrom(
    ...[
      'a',
      'a.de',
      'b-c.de',
      '10.1.2.3',
      '1.2.3.4',
      '@',
      ':',
      '80',
      '/',
      '//',
      '.',
      '-',
      ' ',
      'é.fr',
      '?q=a@b.de',
      '#',
      '\u{1f600}',
    ],
  )
  let valid = 0
  fc.assert(
    fc.property(scheme, fc.array(part, { maxLength: 8 }), (start, parts) => {
      const text = start + parts.join('')
      if (!(expected instanceof RegExp) || typeof url !== 'function')
        throw new Error('other kinds of formats')
      const isUrl = expected.test(text)
      if (isUrl) valid++
      expect([text, url(text)]).toEqual([text, isUrl])
    }),
    { numRuns: runs(3000, 200_000) },
  )
  expect(valid).toBeGreaterThan(50)
})
