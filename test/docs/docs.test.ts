// @module-tag long

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DatabaseSource, startPostgres } from '../../service/testing/databases.js'
import { type Fence, fencesOf } from '../fences.js'
import { isUpdating, writeFence } from '../golden.js'
import { type RunningService, startService } from '../service-process.js'
import { expectPrinted } from '../shown-commands.js'

// A reader copies commands from a page into a shell: a fence of `sh` is run, and the fence behind it is what it prints.

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'spec/README.md',
  'examples/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !/^(?:changes|lint|packages|\.vitepress)\//.test(name))
    .map((name) => `docs/${name}`),
]
const scripts = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts)
const textOf = (page: string) => readFileSync(join(root, page), 'utf8')

/** Commands that another test runs, since they install packages, build this repository or stop a service. */
const elsewhere: Readonly<Record<string, string>> = {
  'npm ci && npm start': 'service/server.process.test.ts',
  'npm ci && npm test': '.ci/run',
  'npm create duet': 'test/release/registry.test.ts',
  'npx duet init ': 'test/init.test.ts',
  'npm run backup ': 'service/commands/backup.process.test.ts',
  'npm run restore ': 'service/commands/backup.process.test.ts',
  'npm run secret:rotate': 'service/commands/backup.process.test.ts',
  'npm run --silent usage:export': 'service/usage.process.test.ts',
  'export BILLING_SECRET': 'service/commands/copy-to-postgres.process.test.ts',
}
const testOf = (commands: string) =>
  Object.entries(elsewhere).find(([start]) => commands.startsWith(start))?.[1]

/** The tutorial's commands build on each other, in a project of its own: test/docs/readers.test.ts runs them. */
const tutorial = 'docs/tutorial.md'
const shown = pages
  .filter((page) => page !== tutorial)
  .flatMap((page) => {
    const fences = fencesOf(textOf(page))
    return fences
      .filter(({ kind, target }) => kind === 'sh' && target === '')
      .map(({ index, text }) => ({ page, commands: text, output: outputIn(fences[index + 1]) }))
  })

/** A fence holds what the commands before it print, if there is at most a paragraph between them. */
function outputIn(fence: Fence | undefined): Fence | undefined {
  const isOutput = fence?.kind === 'text' || fence?.kind === 'json'
  return isOutput && /^\n\n(?:(?![#|-]).+\n)*\n?$/.test(fence.before) ? fence : undefined
}

let workspace: string
let service: RunningService
let mock: ChildProcess
let mockUrl: string
let source: DatabaseSource
let databaseUrl: string

beforeAll(async () => {
  workspace = await newWorkspace()
  service = await startService()
  symlinkSync(service.dataDirectory, join(workspace, '.data'))
  mock = spawn('node', ['generator/bin/duet.js', 'mock', '1.0.0', '--port', '0'], { cwd: root })
  const [line] = await once(mock.stdout ?? mock, 'data')
  mockUrl = /http:\/\/[\d.:]+/.exec(String(line))?.[0] ?? ''
  source = await startPostgres()
  databaseUrl = (await source.empty()).url ?? ''
})
afterAll(async () => {
  mock?.kill()
  await service?.stop()
  service?.remove()
  await source?.stop()
  rmSync(workspace, { recursive: true, force: true })
})

describe.each(pages)('%s', (page) => {
  // Each page scaffolds handlers into an empty folder.
  beforeAll(() => rmSync(join(workspace, 'src'), { recursive: true, force: true }))

  it.each(
    shown
      .filter((example) => example.page === page)
      .map((example) => [example.commands, example.output] as const),
  )('%s', async (commands, output) => {
    const test = testOf(commands)
    if (test !== undefined) return expect(existsSync(join(root, test))).toBe(true)
    const printed = await run(commands)
    if (output === undefined) return
    if (isUpdating && !output.text.includes('…')) writeFence(join(root, page), output, printed)
    else expectPrinted(printed, output.text)
  })

  it('names the language of each fence', () => {
    const opened = [...textOf(page).matchAll(/^ *```(.*)$/gm)].filter((_, index) => index % 2 === 0)
    expect(opened.map(([, language]) => language)).not.toContain('')
  })

  it('names only existing scripts and settings', () => {
    const text = textOf(page).replaceAll(/\s+/g, ' ')
    for (const [, name = ''] of text.matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g))
      expect(page === tutorial ? [...scripts, 'scaffold'] : scripts).toContain(name)
    for (const [, name = ''] of text.matchAll(/`(BILLING_SECRET\w*|DATABASE_\w+|DATA_DIR|CACHE_SECONDS)\b/g))
      expect(textOf('docs/billing.md')).toContain(`\`${name}\``)
  })

  it('has no broken links', () => {
    for (const [, path = '', heading] of textOf(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)) {
      const target = path === '' ? join(root, page) : resolve(root, dirname(page), path)
      expect(existsSync(target), `${page} links to ${path}`).toBe(true)
      if (heading !== undefined)
        expect(headingsOf(target), `${page} links to ${path}#${heading}`).toContain(heading)
    }
  })
})

/** A git repository with the documents, their generated versions and the built commands. */
async function newWorkspace(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'duet-docs-'))
  for (const name of ['spec', 'generated', 'package.json', 'duet.config.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  for (const name of ['node_modules', 'service']) symlinkSync(join(root, name), join(folder, name))
  const git = (...args: string[]) =>
    promisify(execFile)('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
      cwd: folder,
    })
  await git('init', '--quiet')
  await git('add', 'spec')
  await git('commit', '--quiet', '--message', 'Documents')
  return folder
}

/** Runs commands in a shell that stops at the first failure, and returns their output. */
async function run(commands: string): Promise<string> {
  const here = commands
    .replaceAll('http://127.0.0.1:8080', service.url)
    .replaceAll('http://127.0.0.1:4010', mockUrl)
  const environment = commands.includes('user:create')
    ? { DATABASE_URL: databaseUrl, BILLING_SECRET: 'a secret of more than 32 characters' }
    : {}
  const shell = await promisify(execFile)('bash', ['-e', '-c', `npx() { "$@"; }\n${keyed}\n${here}`], {
    cwd: workspace,
    env: { ...process.env, ...environment, PATH: `${root}node_modules/.bin:${process.env.PATH}` },
  }).catch((error) => {
    if (error.code === 1 && commands.startsWith('npx duet diff')) return error
    throw new Error(`${commands}\n${error.stdout}${error.stderr}`)
  })
  return shell.stdout
}

/** The variable that the README's first call sets in the reader's shell. */
const keyed = `KEY=$(node -p "require('./.data/credentials.json').users[1].apiKey")`

/** Anchors of a page's headings, as GitHub makes them. */
function headingsOf(path: string): string[] {
  const headings = readFileSync(path, 'utf8').matchAll(/^#+ (.*)$/gm)
  return [...headings].map(([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
}
