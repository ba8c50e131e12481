import { expect, it } from 'vitest'
import { csvOf } from './csv.js'

it('begins with the mark of UTF-8, quotes what RFC 4180 asks to quote, and ends each line', () => {
  expect(
    csvOf(
      ['a', 'b'],
      [
        ['x,y', 'say "hi"'],
        ['two\nlines', null],
      ],
    ),
  ).toBe('\uFEFFa,b\r\n"x,y","say ""hi"""\r\n"two\nlines",\r\n')
})

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', ' =1', '＝1', '|calc', '%0a'])(
  'keeps a spreadsheet from running %j',
  (text) => {
    expect(
      csvOf(['n'], [[text]])
        .split('\r\n')[1]
        ?.replace(/^"/, '')[0],
    ).toBe("'")
  },
)

it('leaves numbers alone', () => {
  expect(csvOf(['n'], [[-5], [true]])).toBe('\uFEFFn\r\n-5\r\ntrue\r\n')
})
