// @module-tag long

import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adapted } from '../../test/adapt/adapted.js'
import { sectionsOf } from '../../test/fences.js'
import { emit } from '../emit/emit.js'
import type { Model } from '../model/model.js'
import { derivedFile, stepName } from './derived-file.js'
import { mergeTeamFile } from './team-file.js'

// Both files of every pair of versions in test/adapt compile against the generated packages of both versions.

const pages = resolve('test/adapt')
let project: string

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'duet-adapt-compile-'))
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'))
  const names = readdirSync(pages).filter((name) => name.endsWith('.md'))
  const sections = names.flatMap((name) => sectionsOf(readFileSync(join(pages, name), 'utf8')))
  for (const [index, { title, fences }] of sections.entries()) {
    const [old, fresh] = fences
    if (title.startsWith('A narrower param')) write(`s${index}/adapters/forgotten.ts`, forgotten)
    const { adaptation } = await adapted(old?.text ?? '', fresh?.text ?? '')
    const { older, next } = adaptation
    const apis = { older: '../old/index.js', next: '../new/index.js' }
    await writeVersion(`s${index}/old`, older)
    await writeVersion(`s${index}/new`, next)
    write(`s${index}/adapters/${stepName(adaptation)}.derived.ts`, derivedFile(adaptation, apis))
    for (const [path, text] of mergeTeamFile(new Map(), adaptation, apis).write)
      write(`s${index}/adapters/${path}`, text)
    const uses = `import type { Adapter } from 'duet-runtime'\nimport { adapter } from './${stepName(adaptation)}.js'\n`
    write(`s${index}/adapters/uses.ts`, `${uses}export const used: Adapter = adapter\n`)
  }
  write('package.json', '{ "type": "module" }')
  const options = { noEmit: true, composite: false, declaration: false, noUnusedLocals: true }
  const paths = { 'duet-runtime': [resolve('runtime/index.ts')], 'duet-runtime/*': [resolve('runtime/*.ts')] }
  const config = {
    extends: resolve('tsconfig.base.json'),
    compilerOptions: { ...options, rootDir: '/', paths },
  }
  write('tsconfig.json', JSON.stringify({ ...config, include: ['s*/adapters/*.ts'] }))
})

afterAll(() => rmSync(project, { recursive: true }))

test.each(['typescript', 'typescript7'])('the files of every page compile with %s', (name) => {
  const compiler = resolve(`node_modules/${name}/bin/tsc`)
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', project], { encoding: 'utf8' })
  expect(stdout).toBe('')
})

const forgotten = `import type { Written } from './1.0.0-to-1.1.0.derived.js'

// @ts-expect-error clients.search is forgotten
export const nothing: Written = {}

export const silent: Written = {
  // @ts-expect-error it does not say what is lost
  'clients.search': { params: () => ({ shop: 'a' }) },
}

export const partial: Written = {
  // @ts-expect-error it does not convert the params
  'clients.search': { loss: 'a page has 100 rows' },
}

export const wrong: Written = {
  // @ts-expect-error shop is a text
  'clients.search': { loss: 'a page has 100 rows', params: () => ({ shop: 1 }) },
}

export const fine: Written = {
  'clients.search': { loss: 'a page has 100 rows', params: ({ limit = 20 }) => ({ shop: 'a', limit: limit + 0 }) },
}
`

async function writeVersion(folder: string, model: Model): Promise<void> {
  for (const [path, text] of await emit(model, [], 'openapi.yaml')) write(`${folder}/${path}`, text)
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true })
  writeFileSync(join(project, path), text)
}
