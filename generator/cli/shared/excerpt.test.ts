import pc from 'picocolors'
import { describe, expect, it } from 'vitest'
import { printable, wantsColours } from '../../project/terminal.js'
import { excerpt } from './excerpt.js'

const plain = pc.createColors(false)

describe('an excerpt', () => {
  it('marks the key in its line, between the lines around', () => {
    expect(excerpt('a: 1\nbc:\n  d: 2\ne: 3\n', 3, 3, 80, plain)).toEqual([
      '  2 | bc:',
      '> 3 |   d: 2',
      '    |   ^',
      '  4 | e: 3',
    ])
  })

  it('cuts a long line around the column', () => {
    const lines = excerpt(
      `{${'"a":1,'.repeat(100_000)}"here":2,${'"b":3,'.repeat(1000)}}`,
      1,
      600_002,
      60,
      plain,
    )
    expect(lines).toHaveLength(2)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(62)
    const [text = '', mark = ''] = lines
    expect(text.slice(mark.indexOf('^'), mark.lastIndexOf('^') + 1)).toBe('"here"')
  })

  it('keeps the mark under its place after escapes and tabs', () => {
    const [text = '', mark = ''] = excerpt('\u001b\ta: 1', 1, 3, 80, plain)
    expect(text).toBe('> 1 | \\x1b a: 1')
    expect(mark.indexOf('^')).toBe(text.indexOf('a'))
  })

  it('is empty for a line that the text does not have', () => {
    expect(excerpt('a', 7, 1, 80, plain)).toEqual([])
  })
})

describe('text from a document', () => {
  it.each([
    ['\u001b[2J', '\\x1b[2J'],
    ['a\nb', 'a\\x0ab'],
    ['\u202egnp', '\\u{202e}gnp'],
    ['\ud800', '\\u{d800}'],
    ['Zürich 東京 😀', 'Zürich 東京 😀'],
  ])('%j is shown as %s', (text, shown) => {
    expect(printable(text)).toBe(shown)
  })
})

describe('colours', () => {
  it.each([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ TERM: 'dumb' }, true, false],
    [{ CI: 'true' }, false, false],
  ])('with %j and a terminal: %s, are on: %s', (env, isTerminal, expected) => {
    expect(wantsColours(env, isTerminal)).toBe(expected)
  })
})
