import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../test/runs.js'
import { park, parkedIn } from './parked-code.js'
import { ts } from './workspace.js'

const piece = fc.constantFrom(
  ...['a', ' ', '\n', '\r\n', '\r', '\u2028', '\u2029', '//', '// ', '/*', '*/', '#', '`', '${', '}', "'"],
  '#endregion parked by duet: clients.get',
)
const text = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(''))

/** A file with code of `clients.get` parked in it. */
function parked(file: string, code: string, eol = '\n'): string {
  const splice = park(file, 'clients.get', 'it is gone', [code], eol)
  return file.slice(0, splice.start) + splice.text + file.slice(splice.end)
}

describe('parked code', () => {
  it('is a comment of whole lines, and the same code without the marks before its lines', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('', 'const a = 1\n', 'const a = 1', 'const a = 1\r\n'),
        fc.constantFrom('\n', '\r\n'),
        // A block leaves empty lines before its code out.
        text.map((code) => `x${code}`),
        (file, eol, code) => {
          const after = parked(file, code, eol)
          const source = ts.createSourceFile('a.ts', after, ts.ScriptTarget.Latest)
          expect(source.statements.map((node) => node.getText(source))).toEqual(
            file === '' ? [] : ['const a = 1'],
          )
          const [, , ...lines] = after.slice(file.length).split(/^\/\/ ?/m)
          expect(lines.slice(0, -1).join('')).toBe(code + eol)
        },
      ),
      { numRuns: runs(500, 10_000) },
    )
  })

  it('keeps its indentation, and has an empty line before it', () => {
    expect(parked('const a = 1\n', '\n\n  // Mine.\n  get: 1,')).toBe(`const a = 1

// #region parked by duet: clients.get - it is gone
//   // Mine.
//   get: 1,
// #endregion parked by duet: clients.get
`)
  })

  it('is found by its name, even if an earlier duet parked it in pieces', () => {
    const pieces = ['clients.get()', 'orders.*', 'orders.*12'].map(
      (name) => `// #region parked by duet: ${name} - x\n`,
    )
    expect(parkedIn(parked(pieces.join(''), 'a'))).toEqual([
      'clients.get',
      'orders.*',
      'orders.*',
      'clients.get',
    ])
  })
})
