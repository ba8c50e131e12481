import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { waiverFields } from './waiver.js'
import { readWaivers } from './waiver-file.js'

const good = [
  "- fingerprint: '0123456789abcdef'",
  '  owner: Ada Lovelace',
  '  reason: No caller sends more than 100.',
  '  expires: 2027-01-31',
]

/** The faults of a file: position, code, message and remedy. */
function faults(lines: readonly string[]): string[] {
  const { waivers, diagnostics } = readWaivers('waivers.yaml', lines.join('\n'))
  if (diagnostics.length > 0) expect(waivers).toEqual([])
  return diagnostics.map(
    ({ at, code, message, remedy }) => `${at.file}:${at.line}:${at.column} ${code}: ${message}. ${remedy}`,
  )
}

describe('a file of waivers', () => {
  it('gives each entry with the positions of its fields', () => {
    const { waivers, diagnostics } = readWaivers(
      'waivers.yaml',
      ['# Decided in the review', ...good, '  from: 1.1.0', '  id: endpoint-path-changed'].join('\n'),
    )
    expect(diagnostics).toEqual([])
    const [waiver] = waivers
    expect(waiver).toMatchObject({
      fingerprint: '0123456789abcdef',
      owner: 'Ada Lovelace',
      reason: 'No caller sends more than 100.',
      expires: '2027-01-31',
      from: '1.1.0',
      id: 'endpoint-path-changed',
      at: { file: 'waivers.yaml', line: 2, column: 3 },
    })
    expect(waiver?.fieldPosition('expires')).toEqual({ file: 'waivers.yaml', line: 5, column: 3 })
  })

  it.each(['', '# none\n', '[]'])('may be empty: %j', (text) => {
    expect(readWaivers('waivers.yaml', text)).toEqual({ waivers: [], diagnostics: [] })
  })

  it('may be JSON', () => {
    const entry = { fingerprint: '0123456789abcdef', owner: 'A', reason: 'B', expires: '2027-01-31' }
    expect(readWaivers('waivers.json', JSON.stringify([entry])).waivers).toMatchObject([entry])
  })

  it('may waive one change in several reviews', () => {
    expect(faults([...good, '  from: 1.0.0', ...good, '  from: 1.1.0'])).toEqual([])
  })

  it.each<[string, readonly string[], string | RegExp]>([
    [
      'an unknown field',
      [...good, '  expired: 2027-01-31'],
      'waivers.yaml:5:3 waiver-field-unknown: A waiver has no field "expired". Did you mean expires?',
    ],
    [
      'a field of every object',
      [...good, '  constructor: x'],
      /^waivers\.yaml:5:3 waiver-field-unknown: A waiver has no field "constructor"\. Correct/,
    ],
    [
      'a missing owner',
      good.filter((line) => !line.includes('owner')),
      'waivers.yaml:1:3 waiver-field-missing: owner of the waiver is missing. Name who accepts the change: owner: Ada Lovelace.',
    ],
    [
      'an empty reason',
      good.map((line) => line.replace(/reason: .*/, 'reason:')),
      /^waivers\.yaml:3:3 waiver-field-missing: reason of the waiver is empty\. Say why/,
    ],
    [
      'a blank reason',
      good.map((line) => line.replace(/reason: .*/, "reason: ' '")),
      /^waivers\.yaml:3:3 waiver-field-invalid: reason of the waiver is empty\. Say why/,
    ],
    [
      'a day that no calendar has',
      good.map((line) => line.replace('2027-01-31', '2027-02-29')),
      'waivers.yaml:4:3 waiver-field-invalid: "2027-02-29" is not a day of the calendar. Write the last day on which the waiver holds: expires: 2027-01-31.',
    ],
    [
      'a moment instead of a day',
      good.map((line) => line.replace('2027-01-31', '2027-01-31T00:00:00Z')),
      /^waivers\.yaml:4:3 waiver-field-invalid: "2027-01-31T00:00:00Z" is not a day/,
    ],
    [
      'a fingerprint that YAML reads as a number',
      good.map((line) => line.replace("'0123456789abcdef'", '1234567812345678')),
      'waivers.yaml:1:3 waiver-field-invalid: fingerprint of the waiver is a number: 1234567812345678. Put it in quotes.',
    ],
    [
      'a version that YAML reads as a number',
      [...good, '  from: 1.0'],
      'waivers.yaml:5:3 waiver-field-invalid: from of the waiver is a number: 1. Put it in quotes.',
    ],
    [
      'what is no fingerprint',
      good.map((line) => line.replace('0123456789abcdef', 'xyz')),
      /^waivers\.yaml:1:3 waiver-field-invalid: "xyz" is not the fingerprint/,
    ],
    [
      'the same fingerprint twice',
      [...good, ...good],
      'waivers.yaml:5:3 waiver-duplicate: The change 0123456789abcdef is waived twice for the same review. Keep one of the two.',
    ],
    [
      'a map',
      ['waivers: []'],
      /^waivers\.yaml:1:1 waivers-not-list: waivers\.yaml holds an object and no list of waivers\. Begin/,
    ],
    [
      'an entry that is a text',
      ['- 0123456789abcdef'],
      /^waivers\.yaml:1:3 waivers-not-list: This entry is a string/,
    ],
    ['no YAML', ['- fingerprint: [1'], /^waivers\.yaml:1:18 yaml-syntax: /],
    [
      'a key given twice',
      [...good, '  owner: Bob'],
      /^waivers\.yaml:5:3 duplicate-key: The key "owner" is here twice/,
    ],
  ])('with %s is refused at its line, with a remedy', (_, lines, expected) => {
    const [first, ...others] = faults(lines)
    expect(first).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected))
    expect(others).toEqual([])
  })

  it('reports all faults at once', () => {
    expect(faults(['- owner: 7', '- reason: x'])).toHaveLength(7)
  })
})

describe('duet.waivers.schema.json', () => {
  const schema = JSON.parse(readFileSync(new URL('../../duet.waivers.schema.json', import.meta.url), 'utf8'))
  const ajv = new Ajv2020({ allowUnionTypes: true })
  addFormats.default(ajv)
  const accepts = ajv.compile(schema)

  it('has exactly the fields that are read', () => {
    expect(Object.keys(schema.items.properties)).toEqual([...waiverFields])
  })

  it.each([
    '',
    good.join('\n'),
    [...good, '  to: 2.0.0'].join('\n'),
    [...good, '  expired: x'].join('\n'),
    good.slice(0, 3).join('\n'),
    good.join('\n').replace('2027-01-31', '2027-02-29'),
    good.join('\n').replace('Ada Lovelace', '" "'),
    '- x',
    '{}',
  ])('accepts what is read, and nothing else: %j', (text) => {
    expect(accepts(parse(text))).toBe(readWaivers('w.yaml', text).diagnostics.length === 0)
  })
})
