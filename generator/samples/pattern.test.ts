import { describe, expect, it } from 'vitest'
import { matchingText } from './pattern.js'
import { Random } from './random.js'

const any = { least: 0, most: 1000 }

describe('a text for a pattern', () => {
  it.each([
    '^[A-Z]{3}$',
    '^\\d{3}-\\d{2,4}$',
    '^(?:a|bc)+d?$',
    '^(?<word>[a-z]+)=\\k<word>$',
    '^\\p{Lu}\\p{Ll}+$',
    '^\\p{Script=Greek}+$',
    '^[^\\w\\s]$',
    '^[\\x00-\\x1f]{2}$',
    '^\\S+@\\S+\\.\\S+$',
    '^(?=.*[A-Z])(?=.*\\d).{8,}$',
    '^\\-x\\-$',
    'inner',
    '',
    '^[\\u4e00-\\u4e03]$',
    '^.{300}$',
  ])('%s is one that it matches', (source) => {
    const flags = source === '^\\-x\\-$' ? '' : 'u'
    for (const seed of ['1', '2', '3']) {
      expect(matchingText(source, any, new Random(seed))).toMatch(new RegExp(source, flags))
    }
  })

  it('has the required length', () => {
    expect(matchingText('^[ab]+$', { least: 30, most: 30 }, new Random('1'))).toMatch(/^[ab]{30}$/)
    expect(matchingText('^[ab]*$', { least: 0, most: 0 }, new Random('1'))).toBe('')
    expect(matchingText('^😀+$', { least: 2, most: 2 }, new Random('1'))).toBe('😀😀')
  })

  it.each(['^a(?!a)a$', '[^\\s\\S]', '^(a{9999}){9999}$'])(
    '%s has no sample if the search finds none',
    (source) => {
      expect(matchingText(source, any, new Random('1'))).toBeUndefined()
    },
  )
})
