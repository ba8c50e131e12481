import { describe, expect, it } from 'vitest'
import { TakenPaths } from './taken-paths.js'

describe('the path of a file that an emitter gives', () => {
  it.each([
    'postman.json',
    'console.ts',
    'docs/index.html',
    'docs/.hidden',
    'a b/ü.txt',
    '__proto__',
    'constructor/x',
  ])('can be %s', (path) => {
    expect(new TakenPaths(['index.ts']).add(path)).toBeUndefined()
  })

  it.each([
    ['', 'is not a path'],
    [7, 'is not a path'],
    ['/etc/passwd', "leaves the version's folder"],
    ['C:/x', "leaves the version's folder"],
    ['../x', "leaves the version's folder"],
    ['a/../../x', "leaves the version's folder"],
    ['a/..', "leaves the version's folder"],
    ['./x', 'has an empty part or the part "."'],
    ['a//x', 'has an empty part or the part "."'],
    ['a/', 'has an empty part or the part "."'],
    ['..\\x', 'has a name that some file systems refuse'],
    ['a\nb', 'has a name that some file systems refuse'],
    ['index.ts.', 'has a name that some file systems refuse'],
    ['docs/con.html', 'has a name that some file systems refuse'],
    ['LPT1', 'has a name that some file systems refuse'],
    ['.x.duet-lock', "has a name of duet's temporary files"],
    ['.x.duet-new', "has a name of duet's temporary files"],
    ['index.ts', 'already exists'],
    ['Index.TS', 'differs from index.ts only in upper and lower case'],
    [
      'index.ts/x',
      'cannot be written next to index.ts: one is a file, and the other needs a folder of that name',
    ],
    ['DEEP', 'cannot be written next to deep/x: one is a file, and the other needs a folder of that name'],
  ])('cannot be %j', (path, reason) => {
    expect(new TakenPaths(['index.ts', 'deep/x']).add(path)).toBe(reason)
  })

  it('is taken from then on, however it is composed', () => {
    const taken = new TakenPaths([])
    expect(taken.add('caf\u00e9')).toBeUndefined()
    expect(taken.add('cafe\u0301')).toBe('differs from caf\u00e9 only in upper and lower case')
  })
})
