import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/runs.js'
import { Budget } from '../../patterns/budget.js'
import { formatDefinition } from './format.js'
import { Languages } from './languages.js'
import { WordSearch } from './word-search.js'

const languages = new Languages()
const search = new WordSearch(languages, () => new Budget(200_000, 10_000))

describe('words of a language', () => {
  it('finds all words of a finite language, and knows it', () => {
    const language = languages.and([languages.pattern('^[ab]+$'), languages.length(2, 2)])
    expect(search.words(language, 10)).toMatchObject({ words: ['aa', 'ab', 'ba', 'bb'], complete: true })
  })

  it.each([
    ['^[^]*$', true],
    ['a', false],
    ['^(?!x)', false],
  ])('the complement of %s has no words: %s', (source, none) => {
    const { words, complete } = search.words(languages.not(languages.pattern(source)), 1)
    expect(words.length === 0 && complete).toBe(none)
  })

  it('words left out are left out', () => {
    const language = languages.and([languages.pattern('^[ab]$'), languages.not(languages.words(['a']))])
    expect(search.words(language, 5)).toMatchObject({ words: ['b'], complete: true })
  })

  it('every word found is one by the regular expression itself', () => {
    const piece = fc.constantFrom('a', 'b', '[ab]', '\\d', '.', '(a|bc)', '\\b', '^', '$', '[^a]', '\\w')
    const repeat = fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}')
    const source = fc
      .array(fc.tuple(piece, repeat), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.map(([one, times]) => (/^[\^$]$|^\\b$/.test(one) ? one : one + times)).join(''))
    fc.assert(
      fc.property(source, source, fc.stringMatching(/^[abc1 ]{0,4}$/), (one, other, word) => {
        const language = languages.and([languages.pattern(one), languages.not(languages.pattern(other))])
        const { words, complete } = search.words(language, 3)
        for (const found of words) {
          expect(new RegExp(one, 'u').test(found)).toBe(true)
          expect(new RegExp(other, 'u').test(found)).toBe(false)
        }
        const belongs = new RegExp(one, 'u').test(word) && !new RegExp(other, 'u').test(word)
        if (complete && words.length === 0) expect(belongs).toBe(false)
        if (complete && belongs) expect(words).toContain(word)
      }),
      { numRuns: runs(100, 3_000) },
    )
  })
})

describe('formats', () => {
  const tried = [
    '2020-02-29',
    '2021-02-29',
    '1900-02-29',
    '2000-02-29',
    '2020-13-01',
    '12:00:00Z',
    '23:59:60Z',
    '24:00:00Z',
    '12:00:00',
    '2020-01-01T00:00:00Z',
    '2020-01-01 00:00:00+02:00',
    '2020-01-01T00:00:60Z',
    'P1Y',
    'P',
    'PT',
    'PT1H',
    'P1W',
    'P1YT1S',
    'http://a.de/"',
    'http://a.de/b?c#d',
    'urn:x',
    'a/b',
    '//a',
    '',
    'a@b.c',
    'a@b',
    'a.b',
    '1.2.3.4',
    '256.1.1.1',
    '::1',
    '1::',
    'a.',
    '-a',
    `${'a'.repeat(63)}.b`,
    'a'.repeat(64),
    '/a~0',
    '/~',
    '0#',
    'aGk=',
    'aGk',
    '{x}',
    '{',
    'a\u{1f600}',
    '123e4567-e89b-12d3-a456-426614174000',
    'urn:uuid:123e4567-e89b-12d3-a456-426614174000',
  ]
  const names = [
    'date',
    'time',
    'date-time',
    'duration',
    'uri',
    'uri-reference',
    'uri-template',
    'email',
    'hostname',
  ]
  const more = [
    'ipv4',
    'ipv6',
    'uuid',
    'json-pointer',
    'relative-json-pointer',
    'byte',
    'iso-time',
    'url',
    'regex',
  ]

  it.each([...names, ...more])('of %s the bounds hold what ajv-formats says', (name) => {
    const definition = formatDefinition(name)
    if (definition === undefined) throw new Error(`no format ${name}`)
    const found = search.words(languages.format(name), 12).words
    const others = search.words(languages.not(languages.format(name)), 12).words
    for (const word of [...tried, ...found, ...others]) {
      const accepted = definition.accepts(word)
      if (languages.test(definition.under(languages), word)) expect([word, accepted]).toEqual([word, true])
      if (accepted) expect([word, languages.test(definition.over(languages), word)]).toEqual([word, true])
    }
    expect(found.length).toBeGreaterThan(0)
  })
})
