import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { changeIds } from '../generator/diff/catalogue.js'
import { catalogue } from '../generator/load/catalogue.js'
import { changeText, unusedTexts } from '../scripts/docs/change-texts.js'
import { changeAddress, tablePages } from '../scripts/docs/pages.js'

// `npm run docs:pages` writes the pages anew.

const docs = fileURLToPath(new URL('../docs/', import.meta.url))
const folders = ['lint', 'changes']

it('docs/lint and docs/changes have the pages of the tables', () => {
  const pages = tablePages()
  if (process.env.UPDATE_GOLDEN === '1') {
    for (const folder of folders) rmSync(join(docs, folder), { recursive: true, force: true })
    for (const [path, text] of pages) {
      mkdirSync(dirname(join(docs, path)), { recursive: true })
      writeFileSync(join(docs, path), text)
    }
  }
  const written = folders.flatMap((folder) =>
    readdirSync(join(docs, folder)).map((name) => `${folder}/${name}`),
  )
  expect(written.sort()).toEqual([...pages.keys()].sort())
  const stale = [...pages].filter(([path, text]) => readFileSync(join(docs, path), 'utf8') !== text)
  expect(stale.map(([path]) => path)).toEqual([])
})

it('each lint code has a page', () => {
  const pages = tablePages()
  expect(Object.keys(catalogue).filter((code) => !pages.has(`lint/${code}.md`))).toEqual([])
})

it('each change id has an address, with its name as a heading', () => {
  const pages = tablePages()
  const lost = [...changeIds.keys()].filter((id) => {
    const [page] = changeAddress(id).split('#')
    return !new RegExp(`^#+ ${id}$`, 'm').test(pages.get(`changes/${page}`) ?? '')
  })
  expect(lost).toEqual([])
})

it('each change id has a text, and each text an id', () => {
  const ids = [...changeIds.keys()]
  expect(ids.filter((id) => changeText(id) === undefined)).toEqual([])
  expect(unusedTexts(ids)).toEqual([])
})
