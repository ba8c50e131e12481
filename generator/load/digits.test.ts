import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Json } from '../document/document.js'
import { parsePointer, valueAt } from '../document/pointer.js'
import { digitsOf, writtenJson } from '../document/written-digits.js'
import { loadDocument } from './load.js'
import { parseJson } from './text/json-source.js'
import { parseAnyYaml, parseYaml } from './text/yaml-source.js'

let cwd: string

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'duet-digits-'))
})

afterEach(() => {
  rmSync(cwd, { recursive: true })
})

function digitsAt(root: Json, pointer: string): string | undefined {
  const segments = parsePointer(pointer) ?? []
  const holder = valueAt(root, segments.slice(0, -1))
  return typeof holder === 'object' && holder !== null ? digitsOf(holder, segments.at(-1) ?? '') : undefined
}

const written = {
  '/integer': '9007199254740993',
  '/negative': '-9007199254740993',
  '/fraction': '0.1000000000000000055',
  '/whole': '1.00000000000000000001',
  '/tiny': '1e-400',
  '/list/1': '9223372036854775807',
  '/list/2/x': '12345678901234567890123',
}
const exact = ['/held', '/third', '/list/0']
const json = `{ "integer": 9007199254740993, "negative": -9007199254740993, "fraction": 0.1000000000000000055,
  "whole": 1.00000000000000000001, "tiny": 1e-400, "held": 9007199254740992, "third": 0.1,
  "list": [9007199254740994, 9223372036854775807, { "x": 12345678901234567890123 }], "text": "9007199254740993" }`
const block = `integer: 9007199254740993
negative: -9007199254740993
fraction: .1000000000000000055
whole: 1.00000000000000000001
tiny: 1e-400
held: 9.007199254740992e15
third: 0.10
list: [9007199254740994, 9223372036854775807, { x: +12345678901234567890123 }]
`

it.each([
  ['JSON', () => parseJson('a.json', json)],
  ['YAML', () => parseYaml('a.yaml', block)],
  ['flow collections of YAML', () => parseYaml('a.yaml', json)],
  ['YAML of the package', () => parseAnyYaml('a.yaml', block)],
])('%s keeps the digits that a double does not hold', (_, parse) => {
  const { value = null } = parse()
  const found = Object.keys(written).map((pointer) => [pointer, digitsAt(value, pointer)])
  expect(Object.fromEntries(found)).toEqual(written)
  expect(exact.map((pointer) => digitsAt(value, pointer))).toEqual([undefined, undefined, undefined])
})

it('keeps the digits behind anchors and merge keys, and of other notations', () => {
  const text =
    'base: &base { id: &id 9007199254740993 }\nother: { <<: *base, same: *id, hex: 0x20000000000001 }\n'
  const { value = null } = parseYaml('a.yaml', text)
  expect(['id', 'same', 'hex'].map((key) => digitsAt(value, `/other/${key}`))).toEqual(
    Array(3).fill('9007199254740993'),
  )
})

it('keeps the digits of other files, of overlays, and of bounds that OpenAPI 3.0 writes otherwise', () => {
  const files = {
    'api.yaml': `openapi: 3.0.3
info: { title: T, version: 1.0.0 }
paths: {}
components:
  schemas:
    A: { $ref: 'parts.yaml#/A' }
    B: { type: integer, maximum: 9007199254740993, exclusiveMaximum: true, nullable: true, enum: [9007199254740993] }
    C: { type: integer, minimum: 9007199254740993, maximum: 9007199254740993 }
`,
    'parts.yaml': 'A: { type: integer, minimum: 9007199254740993 }\n',
    'fix.yaml': `overlay: 1.0.0
info: { title: Fix, version: 1.0.0 }
actions: [{ target: $.components.schemas.C, update: { minimum: 9007199254740992, multipleOf: 9007199254740995 } }]
`,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  const { document } = loadDocument('api.yaml', { cwd, reading: { overlays: ['fix.yaml'] } })
  expect(writtenJson(document?.root.components ?? null, 1)).toContain('"minimum": 9007199254740993')
  const at = (pointer: string) => digitsAt(document?.root ?? null, `/components/schemas/${pointer}`)
  expect(['B/exclusiveMaximum', 'B/enum/0', 'C/maximum'].map(at)).toEqual(Array(3).fill('9007199254740993'))
  expect(at('C/multipleOf')).toBe('9007199254740995')
  expect(at('C/minimum')).toBeUndefined()
})
