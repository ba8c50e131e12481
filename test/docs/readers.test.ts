// @module-tag long

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fencesOf } from '../fences.js'
import { type LocalRegistry, startRegistry } from '../release/local-registry.js'
import { expectPrinted, Shell } from '../shown-commands.js'

// Readers of docs/tutorial.md and examples/ copy commands into a shell and code into files, with packages from a
// registry.

const root = fileURLToPath(new URL('../..', import.meta.url))

let folder: string
let registry: LocalRegistry

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'duet-tutorial-'))
  registry = await startRegistry(join(folder, 'registry'))
}, 300_000)

afterAll(async () => {
  await registry?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('the tutorial', () => {
  const fences = fencesOf(readFileSync(join(root, 'docs/tutorial.md'), 'utf8'))
  const serve = 'npm start\n'
  const main = 'dist/src/main.js'
  const document = 'spec/1.0.0/openapi.yaml'

  it('works as written', async () => {
    await inShell(folder, async (shell) => {
      const edit = (file: string, from: string | RegExp, to: string): void => {
        const path = join(shell.cwd, file)
        const before = readFileSync(path, 'utf8')
        const after = before.replace(from, () => to)
        expect(after, `${from} in ${file}`).not.toBe(before)
        writeFileSync(path, after)
      }
      let printed = ''
      for (const { kind, text } of fences) {
        if (kind === 'sh') {
          // The edit that the text before this command describes.
          if (text.startsWith('npx duet diff')) edit(document, 'maxLength: 200', 'maxLength: 50')
          printed = shell.run(text.replace(serve, ''))
          if (text.endsWith(serve)) await shell.start(main)
        } else if (kind === 'yaml') edit(document, '\ncomponents:\n', `\n${text}\ncomponents:\n`)
        else if (kind === 'ts')
          edit('src/handlers/tasks.ts', / {2}async delete\(params[\s\S]*?\n {2}\},\n/, text)
        else expectPrinted(printed, text)
      }
      const last = fences.findLast(({ text }) => text.startsWith('curl'))?.text ?? ''
      shell.run('npm run --silent generate && npm run build')
      await shell.start(main)
      expect(shell.run(last)).toContain('"status":400')
    })
  })
})

describe('an example', () => {
  const examples = join(root, 'examples')
  const names = readdirSync(examples, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  /** Commands that keep running, and their programs. */
  const servers: Readonly<Record<string, readonly string[]>> = {
    'npm start\n': ['dist/src/main.js'],
    'npm run mock\n': ['node_modules/duet-api/bin/duet.js', 'mock', '1.0.0', '--port', '0'],
  }
  const isWritten = (path: string) => !['node_modules', 'dist', 'generated'].includes(basename(path))

  it.each(names)('%s does what its README says', async (name) => {
    const cwd = join(folder, name)
    cpSync(join(examples, name), cwd, { recursive: true, filter: isWritten })
    await inShell(cwd, async (shell) => {
      let printed = ''
      for (const { kind, text } of fencesOf(readFileSync(join(cwd, 'README.md'), 'utf8'))) {
        const server = servers[text]
        if (kind !== 'sh') expectPrinted(printed, text)
        else if (server === undefined) printed = shell.run(text)
        else await shell.start(...server)
      }
    })
  })

  it('is listed', () => {
    const page = readFileSync(join(examples, 'README.md'), 'utf8')
    expect([...page.matchAll(/^\| \[([\w-]+)\]/gm)].map(([, name]) => name).sort()).toEqual(names.sort())
  })
})

async function inShell(cwd: string, work: (shell: Shell) => Promise<void>): Promise<void> {
  const git = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' }
  const committer = { GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' }
  const shell = new Shell(cwd, { ...registry.environment, ...git, ...committer })
  try {
    await work(shell)
  } finally {
    await shell.stop()
  }
}
