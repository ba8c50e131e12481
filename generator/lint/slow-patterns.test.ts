import { expect, it } from 'vitest'
import type { Document, JsonObject } from '../load/document.js'
import { lint } from './lint.js'

function slow(schema: JsonObject): string[] {
  const root = {
    openapi: '3.1.1',
    info: { title: 'A', version: '1' },
    paths: {},
    components: { schemas: { A: schema } },
  }
  const locate = () => ({ file: 'a.json', line: 1, column: 1 })
  const document: Document = { file: 'a.json', files: [], root, locate }
  return lint(document).flatMap(({ code, pointer }) => (code === 'pattern-slow' ? [pointer ?? ''] : []))
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
