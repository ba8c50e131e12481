import { Script } from 'node:vm'
import { expect, it, onTestFinished, vi } from 'vitest'
import { inlineFlags } from './foreign-escape.js'
import { isPattern } from './pattern.js'
import { patternMatches } from './pattern-match.js'

it('decides whether a text matches, with and without the flag u', () => {
  expect(patternMatches('^\\p{Lu}$', 'É')).toBe(true)
  expect(patternMatches('^a\\-b$', 'a-b')).toBe(true) // \- is an error with the u flag
  expect(patternMatches('^a$', 'b')).toBe(false)
})

it('gives undefined for an invalid expression', () => {
  expect(patternMatches('(?<a>[', 'a')).toBe(undefined)
})

it('gives up a pattern that backtracks without end, and does not try it again', { tags: 'long' }, () => {
  const text = `${'a'.repeat(60)}!`
  expect(patternMatches('^(a+)+$', text)).toBe(undefined)
  const tried = vi.spyOn(Script.prototype, 'runInContext')
  onTestFinished(() => tried.mockRestore())
  expect(patternMatches('^(a+)+$', text)).toBe(undefined)
  expect(tried).not.toHaveBeenCalled()
  patternMatches('^(a*)*$', text)
  expect(tried).toHaveBeenCalled()
})

it('leaves a text alone that is a name of objects', () => {
  expect(patternMatches('__proto__', '__proto__')).toBe(true)
})

it('runs a repetition that is counted as one that may not end, over few letters too', {
  tags: 'long',
}, () => {
  expect(patternMatches('^(?:a?){30}b', 'a'.repeat(16))).toBe(undefined)
})

it.each([
  ['(?i)^a$', ['(?i)']],
  ['^(?i:a)(?-i:b)(?i-s:c)$', ['(?i:', '(?-i:', '(?i-s:']],
  ['(?:a)(?=b)(?!c)(?<=d)(?<!e)(?<name>f)\\(?i:[(?i:]', []],
])('the flags that %s switches are %j, and the matcher refuses it', (pattern, flags) => {
  expect(inlineFlags(pattern)).toEqual(flags)
  if (flags.length > 0) expect([isPattern(pattern), patternMatches(pattern, 'a')]).toEqual([false, undefined])
})
