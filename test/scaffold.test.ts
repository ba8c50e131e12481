import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parsePage, renderPage, runPage, scaffolded } from './scaffold/page.js'

// Each page of test/scaffold shows one behaviour: a document, the files of a team, the next document, and the scaffolded
// files. UPDATE_GOLDEN=1 writes the results into the pages; read the difference.

const folder = fileURLToPath(new URL('./scaffold/', import.meta.url))
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'))
const update = process.env.UPDATE_GOLDEN === '1'

describe.each(pages)('scaffolding %s', (name) => {
  it('produces the result on its page, and changes nothing the second time', () => {
    const text = readFileSync(folder + name, 'utf8')
    const run = runPage(parsePage(text))
    const actual = renderPage(text, run)
    if (update) writeFileSync(folder + name, actual)
    expect(run.report.filter((line) => line.startsWith('A SECOND RUN'))).toEqual([])
    expect(actual).toBe(text)
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
