import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { expectGolden } from '../golden.js'
import { parsePage, renderPage, runPage, scaffolded } from './page.js'

// Each page of test/scaffold shows one behaviour: a document, the files of a team, the next document, and what
// scaffolding makes of the files.

const folder = fileURLToPath(new URL('.', import.meta.url))
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'))

describe.each(pages)('scaffolding %s', (name) => {
  it('produces the result on its page, and changes nothing the second time', () => {
    const text = readFileSync(folder + name, 'utf8')
    const run = runPage(parsePage(text))
    expectGolden(folder + name, renderPage(text, run))
    expect(run.report.filter((line) => line.startsWith('A SECOND RUN'))).toEqual([])
  })

  it('goes back to its first version, and changes nothing the second time', { tags: 'long' }, () => {
    const page = parsePage(readFileSync(folder + name, 'utf8'))
    const [first] = page.versions
    if (first === undefined) throw new Error('A page needs a document')
    const { files } = scaffolded(runPage(page).end, first.version, first.lines)
    const { after } = scaffolded(files, first.version, first.lines)
    expect([...after.write.keys(), ...after.remove]).toEqual([])
  })
})
