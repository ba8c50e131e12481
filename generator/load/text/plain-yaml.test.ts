import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '../../../test/runs.js'
import type { Json, Position } from '../../document/document.js'
import { isArray, isObject } from '../../document/json.js'
import { LineTable } from './lines.js'
import { readPlainYaml } from './plain-yaml.js'
import { parseAnyYaml } from './yaml-source.js'

/** Paths of all members and items, and some that do not exist. */
function pathsOf(value: Json, path: readonly string[] = []): string[][] {
  const keys = isArray(value) || isObject(value) ? Object.keys(value) : []
  return [[...path], [...path, 'none'], ...keys.flatMap((key) => pathsOf(own(value, key), [...path, key]))]
}

function own(value: Json, key: string): Json {
  return isArray(value) ? (value[Number(key)] ?? null) : isObject(value) ? (value[key] ?? null) : null
}

/** Compares the result with that of the package `yaml`. False if the text is left to that package. */
function agrees(text: string): boolean {
  const plain = readPlainYaml(text)
  if (plain === undefined) return false
  const known = parseAnyYaml('f', text)
  expect(known.diagnostics).toEqual([])
  expect(JSON.stringify(plain.value)).toBe(JSON.stringify(known.value))
  const lines = new LineTable('f', text)
  const told: [string[], Position][] = []
  const expected: [string[], Position][] = []
  for (const path of pathsOf(plain.value)) {
    told.push([path, lines.position(plain.offsetAt(path))])
    expected.push([path, known.locate(path)])
  }
  expect(told).toEqual(expected)
  return true
}

it.each([
  'a: b\n',
  '---\n# c\na:\n  b: c # d\n\n  e:\n  - f\n  - g: h\n    i: 1\n  -   - j\n      - k: l\n',
  'a: "x y"\nb: \'it\'\'s\'\n"c d": "\\u00e9\\n"\n\'e\': "x\n  y\n\n  z \\\n  end"\n',
  'a: [1, -2.5, b c, "d", [], {}, https://e/f]\nb: {c: d, "e": [f], g: {h: i},\n  j: k,\n }\n',
  'a: |\n  x\n   y\n\n  z\n\nb: >-\n  p\n  q\n\n  r\n    s\n\n  t\nc: |+\n  k\n\nd: >\n  end',
  'a: |2-\n\n    x\n  y\n\nb:\n  c: |1+\n    z\n\n  d:\n  - e: |2\n       f\n    g: |4\n          j\n  h: i\n',
  'a: words that\n  go on\n\n  and on # c\nb: 0x1f\n'.replace('0x1f', '31'),
  'a: ~\nb: null\nc:\nd: true\ne: 1e3\nf: +1\ng: 0.5\nh: 9007199254740991\ni: 1.2.3\nj: 007\nk: "007"\nl: Nullable\nm: 0x\nn: 0o8\no: 0xg\n',
  '- a\n-\n  b: c\n- |\n  d\n',
  'a:\n  text on the next line\nb:\n  "the same in quotes"\n200: ok\ntrue: yes\n',
  '__proto__: 1\nconstructor: 2\na#b: c#d\ne:f: g:h\n',
])('reads what most documents have as the package yaml does: %j', (text) => {
  expect(agrees(text)).toBe(true)
})

it.each([
  ['an anchor', 'a: &b c\n'],
  ['an alias', 'a: *b\n'],
  ['a tag', 'a: !!str 1\n'],
  ['a merge key', 'a:\n  <<: {b: c}\n'],
  ['a key twice', 'a: 1\na: 2\n'],
  ['a tab', 'a:\tb\n'],
  ['a complex key', '? a\n: b\n'],
  ['a second document', 'a: b\n---\nc: d\n'],
  ['a directive', '%YAML 1.2\n---\na: b\n'],
  ['other ends of lines', 'a: b\r\n'],
  ['a map where text goes on', 'a: b\n  c: d\n'],
  ['a line that is indented too little', 'a:\n    b: c\n  d: e\n'],
  ['a quote that nobody closes', 'a: "b\n'],
  ['a text in quotes that goes on at its key', 'a:\n  b: "c\n  d"\n'],
  ['a number that JSON does not have', 'a: .inf\n'],
  ['no content', '# nothing\n'],
])('leaves %s to the package yaml', (_, text) => {
  expect(readPlainYaml(text)).toBeUndefined()
})

const pieces = [
  ...' |  |\n|\n\n|\n  |\n    |:|: |- |-|#| #|"|\'|[|]|{|}|, |&a|*a|!|%|@|`|\t|?|? |\\|\\n|~|null|1|.5|1e3|0x1|0x|0o|true|<<|---|...'.split(
    '|',
  ),
  ...[
    '|',
    '>',
    '|-\n',
    '|2\n',
    '|1-\n',
    '>+\n',
    'a',
    'b: c',
    'é',
    '\u2028',
    '\u00a0',
    '//',
    '- - ',
    '"x\n  y"',
    "'x\n\n  y'",
  ],
  '>\n  x\n   y\n\n  z\n',
]

const documents = [
  'a:\n  b: c\n  d:\n  - e\n  - f: g\n    h: i\n',
  'a: "x y"\nb: \'z\'\nc: [1, b, "c"]\nd: {e: f, g: [h]}\n',
  'a: |\n  x\n  y\nb: >-\n  p\n  q\n\n  r\nc: 1\n',
  'a: x\n  y\n\n  z\nb: 1\n- - a\n  - b\n',
  'a:\n- |\n  x\n- >\n  y\n- - a\n  - b\n',
  'a: |2-\n\n    x\n  y\nb:\n- c: |1\n    z\n  d: |3+\n       x\n\n',
]

/** Pairs of documents: one of `documents`, and the same after a few changes. */
function changedOf(documents: readonly string[]): fc.Arbitrary<readonly [before: string, after: string]> {
  const change = fc.tuple(fc.nat(), fc.nat(2), fc.constantFrom('', ...pieces))
  return fc
    .tuple(fc.constantFrom(...documents), fc.array(change, { minLength: 1, maxLength: 4 }))
    .map(([document, changes]) => [
      document,
      changes.reduce((changed, [place, gone, piece]) => {
        const at = place % (changed.length + 1)
        return changed.slice(0, at) + piece + changed.slice(at + gone)
      }, document),
    ])
}

it('reads the same as the package yaml', { tags: 'long' }, () => {
  let read = 0
  fc.assert(
    fc.property(changedOf(documents), ([, text]) => {
      if (agrees(text)) read++
    }),
    { numRuns: runs(2000, 200_000) },
  )
  expect(read).toBeGreaterThan(200)
})

const nested = [
  'a:\n  b:\n    c:\n      d: 1\n    e: [x, y]\n    f: z\n  g: {h: i}\n\n# j\nk: l\nm: n\n',
  'a:\n  b:\n  - c: d\n    e: f\n  - g\n  h: |\n    i\n    j: k\n  l: m\nn:\n  o: "p\n    q"\n  r:\n  s: t\nu: v\n',
  'a: {\n  b: c,\n  d: e }\nf:\n  g: h,\n  i: j\nk:\n- l: m\n  n: o\np: q\n',
]

it('reads the same of a text after a similar one', () => {
  let read = 0
  fc.assert(
    fc.property(changedOf([...nested, ...documents]), ([before, text]) => {
      const alone = readPlainYaml(text)
      const after = readPlainYaml(text, readPlainYaml(before)?.twin())
      expect(after?.value).toEqual(alone?.value)
      if (alone === undefined || after === undefined) return
      read++
      expect(Object.keys(after.value ?? {})).toEqual(Object.keys(alone.value ?? {}))
      for (const path of pathsOf(alone.value))
        expect([path, after.offsetAt(path)]).toEqual([path, alone.offsetAt(path)])
    }),
    { numRuns: runs(2000, 200_000) },
  )
  expect(read).toBeGreaterThan(200)
})

it('shares nothing with the text before it, and takes what is written alike from its twin', () => {
  const text = 'a:\n  b: {c: 1}\n  d: 2\n  e: 3\n'
  const before = readPlainYaml(text)
  const twin = before?.twin()
  const after = readPlainYaml(text.replace('2', '4'), twin)
  expect(after?.value).toEqual({ a: { b: { c: 1 }, d: 4, e: 3 } })
  const partOf = (value: Json | undefined) => own(own(value ?? null, 'a'), 'b')
  expect(partOf(after?.value)).toBe(partOf(twin?.value))
  expect(partOf(after?.value)).not.toBe(partOf(before?.value))
})

it('reads the versions of the service as the package yaml does', () => {
  const folder = new URL('../../../spec/', import.meta.url)
  const versions = readdirSync(folder).filter((name) => /^\d/.test(name))
  for (const version of versions)
    expect(agrees(readFileSync(new URL(`${version}/openapi.yaml`, folder), 'utf8'))).toBe(true)
})

it('reads an integer with the tag of a float, and no other non-float', () => {
  const { value } = parseAnyYaml(
    'f',
    'a: !!float 100\nb: !!float -1.5\nc: "!!float 1"\nd: !!str 100\ne: 0100\n',
  )
  expect(value).toEqual({ a: 100, b: -1.5, c: '!!float 1', d: '100', e: 100 })
  expect(parseAnyYaml('f', 'a: !!float many\n').diagnostics.map(({ code }) => code)).toEqual(['yaml-tag'])
})
