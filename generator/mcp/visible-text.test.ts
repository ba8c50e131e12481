import { expect, it } from 'vitest'
import { visibleText } from './visible-text.js'

it.each([
  ['selectors and joiners after Latin letters', 'a\ufe0fb\u200dc\u200cd\ufe0f\u200d', 'abcd'],
  [
    'joiners after letters that do not join',
    '\u0430\u200d\u0431\u200c \u4e2d\u200d\u6587 \u05d0\u200c\u05d1',
    '\u0430\u0431 \u4e2d\u6587 \u05d0\u05d1',
  ],
  ['joiners that join nothing', '\u0645\u200c\u200c \u0915\u094d\u200d.', '\u0645 \u0915\u094d.'],
  ['the blank of braille', 'a\u2800\u2800b', 'ab'],
  ['a run of them after an emoji', '\u2764\ufe0f\ufe0f\u200d\u200d', '\u2764\ufe0f'],
  [
    'fillers, selectors, private characters',
    '\u00ad\u034f\u180e\u3164\uffa0\ufff9\ue000\u{e0100}\ufe00x',
    'x',
  ],
])('removes %s', (_, text, expected) => {
  expect(visibleText(text)).toBe(expected)
})

it.each([
  ['a family', '\u{1f468}\u{1f3fd}\u200d\u{1f469}\u200d\u{1f467}'],
  ['a heart on fire', '\u2764\ufe0f\u200d\u{1f525}'],
  ['a keycap', '1\ufe0f\u20e3'],
  ['Persian', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
  ['Sinhala', '\u0dc1\u0dca\u200d\u0dbb\u0dd3'],
  ['lines', 'a\n\tb'],
])('keeps %s', (_, text) => {
  expect(visibleText(text)).toBe(text)
})
