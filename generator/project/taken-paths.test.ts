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
    ['..\\x', 'has a name that not every file system takes'],
    ['a\nb', 'has a name that not every file system takes'],
    ['index.ts.', 'has a name that not every file system takes'],
    ['docs/con.html', 'has a name that not every file system takes'],
    ['LPT1', 'has a name that not every file system takes'],
    ['.x.duet-lock', "has a name that duet's own temporary files have"],
    ['.x.duet-new', "has a name that duet's own temporary files have"],
    ['index.ts', 'is there already'],
    ['Index.TS', 'differs from index.ts in case alone'],
    ['index.ts/x', 'makes a folder of a file, beside index.ts'],
    ['DEEP', 'makes a folder of a file, beside deep/x'],
  ])('cannot be %j', (path, reason) => {
    expect(new TakenPaths(['index.ts', 'deep/x']).add(path)).toBe(reason)
  })

  it('is taken from then on, however it is composed', () => {
    const taken = new TakenPaths([])
    expect(taken.add('caf\u00e9')).toBeUndefined()
    expect(taken.add('cafe\u0301')).toBe('differs from caf\u00e9 in case alone')
  })
})
