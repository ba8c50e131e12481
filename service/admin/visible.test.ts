import { expect, it } from 'vitest'
import { isolated, visible } from './visible.js'

// UAX #9, section 2: embeddings, overrides, isolates and what ends them; UAX #14: separators of lines.
it.each(['\u2028', '\u2029', '\u202a', '\u202c', '\u202e', '\u2066', '\u2069'])(
  'shows %j by its number',
  (given) => {
    expect(visible(`a${given}b`)).toMatch(/^a\[U\+20[26][0-9A-E]\]b$/)
  },
)

it('keeps letters of any direction, and isolates them', () => {
  const name = '\u05d0\u05d1 1'
  expect([visible(name), isolated(name)]).toEqual([name, `\u2068${name}\u2069`])
})
