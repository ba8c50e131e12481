import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { Stages } from '../generator/cli/shared/stages.js'
import type { Model } from '../generator/model/model.js'
import { runDuet } from './in-process.js'

/** The folder of the running test's project. */
export let cwd: string

/** A separate project with two versions for each test of the calling file. Registers the hooks. */
export function projectForEachTest(): void {
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), 'duet-generate-'))
    write('duet.config.json', '{ "package": "@shop/api" }')
    write('spec/README.md', 'On the vocabulary')
    write('spec/1.0.0/openapi.yaml', document('1.0.0'))
    write('spec/2.0.0/openapi.yaml', document('2.0.0'))
  })
  afterEach(() => rmSync(cwd, { recursive: true }))
}

/** The script by which duet recognizes a package that it wrote. */
export const build = 'tsc -b && node copy-assets.js'

/** Replaces the later stages: a version's file is the text of its document. */
export const stages: Stages = {
  buildModel: ({ root }) => {
    const info = root.info as { title: string; version: string }
    const model: Pick<Model, 'title' | 'version' | 'operations' | 'schemas'> = {
      ...info,
      operations: [],
      schemas: new Map(),
    }
    return { model: model as Model, diagnostics: [] }
  },
  emit: async (model, inputs) => {
    const files = new Map([
      ['api.ts', `// ${model.title} ${model.version}\n`],
      ['deep/inner.ts', inputs.map(({ text }) => text).join('')],
    ])
    const outputs = [...files].map(([path, text]) => ({ path, sha256: String(text.length) }))
    return files.set('manifest.json', JSON.stringify({ outputs, text: [...files.values()].join('') }))
  },
  emitPackage: (versions, name) =>
    new Map([['package.json', JSON.stringify({ name, versions, scripts: { build } })]]),
}

export function document(version: string, title = 'Shop'): string {
  return `openapi: 3.1.1\ninfo: { title: ${title}, version: ${version} }\npaths: { /a: { get: { responses: {} } }, /b: { get: { responses: {} } } }\n`
}

export function write(path: string, text: string): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true })
  writeFileSync(join(cwd, path), text)
}

export const read = (path: string) => readFileSync(join(cwd, path), 'utf8')

export function tree(path: string): Record<string, string> {
  const names = readdirSync(join(cwd, path), { recursive: true }).map(String).sort()
  return Object.fromEntries(
    names
      .filter((name) => lstatSync(join(cwd, path, name)).isFile())
      .map((name) => [name, read(join(path, name))]),
  )
}

export const duet = (...args: string[]) => runDuet(cwd, args, { stages })
