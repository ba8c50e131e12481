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
import { emit } from '../../generator/emit/emit.js'
import { modelOf, parsePage, runPage } from './page.js'

// The final files of every page compile against the generated package of its last version. Each page has the package
// under a different name, so that one run of the compiler checks all. A file with syntax errors would keep the compiler
// from checking types, so its page is left out.

/** Files that a person must finish after scaffolding. */
const byHand: Readonly<Record<string, readonly string[]>> = {
  'index-types-of-removed-members': ['types.ts'],
  'several-objects': ['fake.ts'],
  'unknown-shape': ['clients.ts'],
  'uses-of-a-parked-member': ['clients.ts'],
  'uses-of-a-renamed-member': ['clients.ts'],
  'uses-of-what-is-gone': ['clients.ts'],
  'uses-outside-a-renamed-member': ['dogs.ts', 'index.ts'],
}

/** Modules of the team's own that pages import from outside the handler folder. */
const surroundings: Readonly<Record<string, string>> = {
  'audit.ts':
    'export declare const three: () => object\nexport declare function withAudit<T>(handler: T): T\n',
  'default.ts': 'export declare const defaultHandlers: { ping: () => object; pong: () => object }\n',
  'list.ts': 'export declare const list: () => object\n',
  'middleware.ts':
    'export declare function withAudit<T>(handler: T): T\nexport declare function cached<T>(handler: T): T\n',
  'principal.ts': 'export interface Principal { readonly id: string }\n',
  'rest.ts': 'export declare function makeRest(): { list: () => object }\n',
  'storage.ts':
    'interface Row { id: number; name: string }\nexport declare function find(id: number, signal: AbortSignal): Promise<Row | undefined>\nexport interface Storage { as(user: { readonly id: string } | undefined): { client(id: number): Promise<Row> } }\n',
  'user.ts': 'export interface User { readonly id: string }\n',
}

const folder = resolve('test/scaffold')
const pages = readdirSync(folder).flatMap((name) => (name.endsWith('.md') ? [name.slice(0, -3)] : []))
let project: string

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'duet-scaffold-compile-'))
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'))
  const paths: Record<string, string[]> = {
    'duet-runtime': [resolve('runtime/index.ts')],
    'duet-runtime/client': [resolve('runtime/client.ts')],
  }
  for (const [index, name] of pages.entries()) {
    const page = parsePage(readFileSync(join(folder, `${name}.md`), 'utf8'))
    const last = page.versions.at(-1)
    if (last === undefined) continue
    const api = `@p${index}/api`
    for (const [path, text] of runPage(page).end)
      write(`${name}/handlers/${path}`, text.replaceAll('@shop/api', api))
    for (const [path, text] of Object.entries(surroundings)) write(`${name}/${path}`, text)
    const { model, inputs } = modelOf(last.version, last.lines)
    for (const [path, text] of await emit(model, inputs, 'openapi.json')) write(`${name}/api/${path}`, text)
    paths[`${api}/${last.version}`] = [`./${name}/api/index.ts`]
    paths[`${api}/${last.version}/client`] = [`./${name}/api/client.ts`]
  }
  const options = {
    ...{ strict: true, module: 'nodenext', target: 'es2023', noEmit: true, skipLibCheck: true },
    ...{ types: ['node'], exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, paths },
    ...{ verbatimModuleSyntax: true, isolatedModules: true },
  }
  write('package.json', '{ "type": "module" }')
  write(
    'tsconfig.json',
    JSON.stringify({ compilerOptions: options, include: ['*/handlers'], exclude: ['does-not-parse'] }),
  )
})

afterAll(() => rmSync(project, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true })
  writeFileSync(join(project, path), text)
}

test.each(['typescript', 'typescript7'])('what every page ends with compiles under %s', (compiler) => {
  const tsc = resolve('node_modules', compiler, 'bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8' })
  const errors = stdout
    .split('\n')
    .filter((line) =>
      pages.some((name) => line.startsWith(`${name}/`) || line.includes(`/${name}/handlers/`)),
    )
  const left = Object.entries(byHand).flatMap(([page, files]) =>
    files.map((file) => `${page}/handlers/${file}`),
  )
  expect(errors.filter((line) => !left.some((path) => line.includes(`${path}(`)))).toEqual([])
  // Every exemption is still needed.
  expect(left.filter((path) => !errors.some((line) => line.includes(`${path}(`)))).toEqual([])
})
