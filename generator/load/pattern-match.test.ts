import { expect, it } from 'vitest'
import { isPattern } from '../model/pattern.js'
import { inlineFlags } from './foreign-escape.js'
import { patternMatches } from './pattern-match.js'

it('says whether a text matches, with the u flag and without it', () => {
  expect(patternMatches('^\\p{Lu}$', 'É')).toBe(true)
  expect(patternMatches('^a\\-b$', 'a-b')).toBe(true) // \- is an error with the u flag
  expect(patternMatches('^a$', 'b')).toBe(false)
})

it('says nothing of what is no regular expression', () => {
  expect(patternMatches('(?<a>[', 'a')).toBe(undefined)
})

it('gives up a pattern that backtracks without end, and does not try it again', () => {
  const text = `${'a'.repeat(60)}!`
  expect(patternMatches('^(a+)+$', text)).toBe(undefined)
  const start = performance.now()
  for (let call = 0; call < 100; call++) patternMatches('^(a+)+$', text)
  expect(performance.now() - start).toBeLessThan(40)
})

it('leaves a text alone that is a name of objects', () => {
  expect(patternMatches('__proto__', '__proto__')).toBe(true)
})

it('runs a repetition that is counted as one that may not end, over few letters too', () => {
  expect(patternMatches('^(?:a?){30}b', 'a'.repeat(16))).toBe(undefined)
})

it.each([
  ['(?i)^a$', ['(?i)']],
  ['^(?i:a)(?-i:b)(?i-s:c)$', ['(?i:', '(?-i:', '(?i-s:']],
  ['(?:a)(?=b)(?!c)(?<=d)(?<!e)(?<name>f)\\(?i:[(?i:]', []],
])('the flags that %s switches are %j, and nobody matches it then', (pattern, flags) => {
  expect(inlineFlags(pattern)).toEqual(flags)
  if (flags.length > 0) expect([isPattern(pattern), patternMatches(pattern, 'a')]).toEqual([false, undefined])
})
