import { expect, it } from 'vitest'
import { levelsOf } from './levels.js'

it.each([
  ['7', 0],
  ['[]', 1],
  ['{"a":[{"b":1}],"c":{}}', 3],
  ['["[[[", "\\"[[", {}]', 2],
])('counts the levels of %s', (text, levels) => expect(levelsOf(text)).toBe(levels))
