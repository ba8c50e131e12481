// @module-tag long

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LocalRegistry, publishTo, startRegistry } from './local-registry.js'

// A reader of docs/tutorial.md copies its commands into a shell and its code into files, from a registry alone.

interface Fence {
  readonly language: string
  readonly text: string
}

const page = readFileSync(fileURLToPath(new URL('../docs/tutorial.md', import.meta.url)), 'utf8')
const fences: readonly Fence[] = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
  ([, language = '', text = '']) => ({ language, text }),
)
const document = 'spec/1.0.0/openapi.yaml'
const serve = 'npm start\n'

let folder: string
let registry: LocalRegistry
let cwd: string
let server: ChildProcess | undefined
let url = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'duet-tutorial-'))
  mkdirSync(join(folder, 'registry'))
  registry = await startRegistry(join(folder, 'registry'))
  publishTo(registry)
  cwd = folder
}, 300_000)

afterAll(async () => {
  await stop()
  await registry?.stop()
  rmSync(folder, { recursive: true, force: true })
})

it('works as it is written', async () => {
  let printed = ''
  for (const { language, text } of fences) {
    if (language === 'sh') {
      // The edit that the text before this command describes.
      if (text.startsWith('npx duet diff')) edit(document, 'maxLength: 200', 'maxLength: 50')
      printed = run(text.replace(serve, ''))
      if (text.endsWith(serve)) await start()
    } else if (language === 'yaml') edit(document, '\ncomponents:\n', `\n${text}\ncomponents:\n`)
    else if (language === 'ts')
      edit('src/handlers/tasks.ts', / {2}async delete\(params[\s\S]*?\n {2}\},\n/, text)
    else expect(joined(printed)).toMatch(pattern(text))
  }
  const last = fences.findLast(({ text }) => text.startsWith('curl'))?.text ?? ''
  run('npm run --silent generate && npm run build')
  await start()
  expect(run(last)).toContain('"status":400')
})

/** What commands print, run by a shell that ends at the first one that fails. */
function run(commands: string): string {
  const shell = `${commands.replaceAll('http://127.0.0.1:8080', url)}\nprintf '\\n%s' "$PWD"`
  const git = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' }
  const committer = { GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' }
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', shell], {
    cwd,
    encoding: 'utf8',
    env: { ...registry.environment, ...git, ...committer },
  })
  const isGate = commands.startsWith('npx duet diff')
  expect(status, `${commands}\n${stdout}${stderr}`).toBe(isGate ? 1 : 0)
  if (isGate) return stdout
  const end = stdout.lastIndexOf('\n')
  cwd = stdout.slice(end + 1)
  return stdout.slice(0, end)
}

function edit(file: string, from: string | RegExp, to: string): void {
  const path = join(cwd, file)
  const before = readFileSync(path, 'utf8')
  const after = before.replace(from, () => to)
  expect(after, `${from} in ${file}`).not.toBe(before)
  writeFileSync(path, after)
}

async function start(): Promise<void> {
  await stop()
  const env = { ...registry.environment, PORT: '0' }
  server = spawn(process.execPath, ['dist/src/main.js'], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(server.stdout ?? server, 'data')
  url = /http:\/\/[\d.:]+/.exec(String(line))?.[0] ?? ''
}

async function stop(): Promise<void> {
  if (server === undefined || server.exitCode !== null) return
  server.kill()
  await once(server, 'exit')
}

const joined = (text: string) => text.replaceAll('\n', '')

function pattern(output: string): RegExp {
  const escaped = joined(output).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('…', '.*')}$`)
}
