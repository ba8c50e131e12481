import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isParkable, park, parkedIn } from './parking.js'
import { ts } from './workspace.js'

const piece = fc.constantFrom(
  ...['a', ' ', '\n', '\r\n', '\r', '\u2028', '\u2029', '//', '// ', '/*', '*/', '#', '`', '${', '}', "'"],
  '#endregion parked by duet: clients.get',
)
const text = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(''))

function after(before: string, splice: { start: number; end: number; text: string }): string {
  return before.slice(0, splice.start) + splice.text + before.slice(splice.end)
}

describe('parked code', () => {
  it('is a comment of whole lines, and comes back as it was, out of a file as it was', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('', 'const a = 1\n', 'const a = 1', 'const a = 1\r\n'),
        fc.constantFrom('\n', '\r\n'),
        text.filter(isParkable),
        (file, eol, code) => {
          const parked = after(file, park(file, 'clients.get', 'reason', code, eol))
          const source = ts.createSourceFile('a.ts', parked, ts.ScriptTarget.Latest)
          expect(source.statements.map((node) => node.getText(source))).toEqual(
            file === '' ? [] : ['const a = 1'],
          )
          const [block] = parkedIn(parked)
          expect(block?.code).toBe(code)
          expect(block && after(parked, block.splice)).toBe(file)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('stands beside other parked code', () => {
    let file = 'a\n'
    for (const name of ['x.a', 'x.b', 'x.c'])
      file = after(file, park(file, name, '', `\n  ${name}: 1,`, '\n'))
    expect(parkedIn(file).map(({ name, code }) => [name, code])).toEqual([
      ['x.a', '\n  x.a: 1,'],
      ['x.b', '\n  x.b: 1,'],
      ['x.c', '\n  x.c: 1,'],
    ])
    const [, second] = parkedIn(file)
    file = second === undefined ? file : after(file, second.splice)
    expect(parkedIn(file).map(({ name }) => name)).toEqual(['x.a', 'x.c'])
  })

  it('is not made of code that would end its block', () => {
    expect(isParkable('a\n#endregion parked by duet: x.y\n')).toBe(false)
    expect(isParkable('a\n  // #endregion parked by duet: x.y\n')).toBe(true)
  })
})
