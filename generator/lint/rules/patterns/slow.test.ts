import { Script } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'
import type { Pieces } from '../../../cache/pieces.js'
import type { Document, Json, JsonObject } from '../../../document/document.js'
import { lint } from '../../lint.js'

function slow(schema: JsonObject, pieces?: Pieces): string[] {
  const root = {
    openapi: '3.1.1',
    info: { title: 'A', version: '1' },
    paths: {},
    components: { schemas: { A: schema } },
  }
  const locate = () => ({ file: 'a.json', line: 1, column: 1 })
  const document: Document = { file: 'a.json', files: [], root, locate }
  return lint(document, pieces).flatMap(({ code, pointer }) =>
    code === 'pattern-slow' ? [pointer ?? ''] : [],
  )
}

it('a pattern that backtracks exponentially is a warning, however short the text', () => {
  expect(slow({ type: 'string', pattern: '^(a+)+$', maxLength: 40 })).toEqual([
    '#/components/schemas/A/pattern',
  ])
})

it('a pattern that backtracks polynomially is a warning unless maxLength keeps the text short', () => {
  expect(slow({ type: 'string', pattern: '^a+a+$' })).toHaveLength(1)
  expect(slow({ type: 'string', pattern: '^a+a+$', maxLength: 65 })).toHaveLength(1)
  expect(slow({ type: 'string', pattern: '^a+a+$', maxLength: 64 })).toEqual([])
})

it('patterns of property names are looked at too, their length being that of propertyNames', () => {
  const patternProperties = { '^a*a*$': true }
  expect(slow({ patternProperties })).toEqual(['#/components/schemas/A/patternProperties/^a*a*$'])
  expect(slow({ patternProperties, propertyNames: { maxLength: 10 } })).toEqual([])
})

it('patterns that need linear time are fine', () => {
  for (const pattern of ['^\\d+$', '^[a-z]+(-[a-z]+)*$', '^a{1,5}b{2}$', '^([a-zA-Z0-9]+\\.)+x$', '(']) {
    expect(slow({ type: 'string', pattern }), pattern).toEqual([])
  }
})

describe('answers of earlier runs', () => {
  const answers = new Map<string, Json>()
  const pieces: Pieces = {
    get: (...key) => answers.get(key.join(' ')),
    set: (value, ...key) => answers.set(key.join(' '), value),
  }
  const keep = (pattern: string, answer: Json) => answers.set(`slow pattern ${pattern}`, answer)
  const pattern = '^b+b+$'
  const place = '#/components/schemas/A/pattern'

  it('are the same as those of this one', () => {
    for (const other of [pattern, '^(b+)+$', '^b+c+$', '(+*+']) {
      answers.clear()
      const first = slow({ pattern: other }, pieces)
      expect(answers.size).toBe(1)
      expect(slow({ pattern: other }, pieces)).toEqual(first)
      expect(slow({ pattern: other })).toEqual(first)
    }
  })

  it('replace an analysis', () => {
    keep(pattern, { found: null, milliseconds: 1 })
    expect(slow({ pattern }, pieces)).toEqual([])
    keep(pattern, { found: { exponential: true, character: 'b' }, milliseconds: 1 })
    expect(slow({ pattern, maxLength: 9 }, pieces)).toEqual([place])
  })

  it('count as long as the analysis took, once a pattern, so that nothing else is analysed than without them', () => {
    const properties = { a: { pattern }, b: { pattern }, c: { pattern: '^c+c+$' } }
    keep(pattern, { found: null, milliseconds: 1_999 })
    expect(slow({ properties }, pieces)).toEqual(['#/components/schemas/A/properties/c/pattern'])
    keep(pattern, { found: null, milliseconds: 2_000 })
    expect(slow({ properties }, pieces)).toEqual([])
  })

  it('ignores patterns of another form', () => {
    for (const answer of [
      null,
      'x',
      { found: null },
      { found: 'x', milliseconds: 1 },
      { found: {}, milliseconds: 1 },
    ]) {
      keep(pattern, answer)
      expect(slow({ pattern }, pieces)).toEqual([place])
    }
  })

  it('are not kept of an analysis that was stopped, which may come to an end another time', () => {
    answers.clear()
    const stopped = () => {
      throw new Error('Script execution timed out')
    }
    const run = vi.spyOn(Script.prototype, 'runInContext').mockImplementation(stopped)
    expect(slow({ pattern: '^h+h+$' }, pieces)).toEqual([])
    expect(run).toHaveBeenCalled()
    run.mockRestore()
    expect(answers.size).toBe(0)
  })
})
