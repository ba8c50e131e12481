import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadCompiled } from '../bin/compiled.js'

const home = mkdtempSync(join(tmpdir(), 'duet-compiled-'))
afterAll(() => rmSync(home, { recursive: true }))

const entry = "exports.said = () => require('./other.cjs').word + require('node:path').posix.sep"
const other = (word: string): string => `exports.word = ((word) => word)('${word}')`

/** A folder with two files. One requires the other. */
function folderOf(word: string): string {
  const folder = mkdtempSync(join(home, 'bundle-'))
  writeFileSync(join(folder, 'main.cjs'), entry)
  writeFileSync(join(folder, 'other.cjs'), other(word))
  return folder
}

function run(folder: string): string {
  const { exports, keep } = loadCompiled(join(folder, 'main.cjs'))
  const said: string = exports.said()
  keep()
  return said
}

/** The folder of the cached code. */
function keptIn(folder: string): string {
  const [tag = ''] = readdirSync(join(folder, 'compiled'))
  return join(folder, 'compiled', tag)
}

describe('loadCompiled', () => {
  it('runs what an earlier run compiled', () => {
    const decoy = folderOf('two')
    run(decoy)
    const code = readFileSync(join(keptIn(decoy), 'other.cjs')).subarray(other('two').length)
    // V8 compares only the length of sources. Code of another source shows what runs.
    writeFileSync(join(decoy, 'other.cjs'), other('six'))
    writeFileSync(join(keptIn(decoy), 'other.cjs'), Buffer.concat([Buffer.from(other('six')), code]))
    expect(run(decoy)).toBe('two/')
  })

  it('runs a changed file, and stores its code', () => {
    const folder = folderOf('one')
    run(folder)
    // V8 would accept code of a source of the same length.
    writeFileSync(join(folder, 'other.cjs'), other('two'))
    expect([run(folder), run(folder)]).toEqual(['two/', 'two/'])
    expect(readFileSync(join(keptIn(folder), 'other.cjs'), 'latin1')).toContain("'two'")
  })

  it('does without code that is damaged', () => {
    const folder = folderOf('one')
    run(folder)
    for (const name of readdirSync(keptIn(folder))) {
      const file = join(keptIn(folder), name)
      writeFileSync(file, readFileSync(file).subarray(0, -40))
    }
    expect([run(folder), run(folder)]).toEqual(['one/', 'one/'])
  })

  it('does without a folder to keep code in', () => {
    const folder = folderOf('one')
    writeFileSync(join(folder, 'compiled'), 'in the way')
    expect([run(folder), run(folder)]).toEqual(['one/', 'one/'])
  })

  it('leaves nothing else behind', () => {
    const folder = folderOf('one')
    run(folder)
    expect(readdirSync(folder).sort()).toEqual(['compiled', 'main.cjs', 'other.cjs'])
    expect(readdirSync(keptIn(folder)).sort()).toEqual(['main.cjs', 'other.cjs'])
  })
})
