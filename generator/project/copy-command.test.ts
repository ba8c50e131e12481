import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runDuet } from '../../test/in-process.js'
import { assets } from '../emit/version-files.js'
import { copyCommand } from './copy-command.js'

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'duet-copy-'))
})
afterEach(() => rmSync(cwd, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true })
  writeFileSync(join(cwd, path), text)
}

const config = (options: object): void => write('tsconfig.json', JSON.stringify({ compilerOptions: options }))
const command = () => copyCommand(join(cwd, 'src/api'), cwd)
const copying = (to: string) => expect.stringContaining(`fs.cpSync('src/api', '${to}', `)

it.each([
  [{ outDir: 'dist', rootDir: 'src' }, 'dist/api'],
  [{ outDir: 'dist', rootDir: '.' }, 'dist/src/api'],
  [{ outDir: './build' }, 'build/api'],
])('copies to where tsc compiles to: %j', (options, target) => {
  config(options)
  expect(command()).toEqual(copying(target))
})

it('finds out where tsc without rootDir has compiled to', () => {
  config({ outDir: 'dist' })
  write('dist/src/api/index.js', '')
  expect(command()).toEqual(copying('dist/src/api'))
})

it.each([
  ['no tsconfig.json', undefined],
  ['no outDir', '{ "compilerOptions": { "strict": true } }'],
  ['an outDir in a comment', '{ "compilerOptions": {\n// "outDir": "./dist",\n"strict": true } }'],
  ['noEmit', '{ "compilerOptions": { "noEmit": true, "outDir": "dist" } }'],
])('has nothing to copy with %s', (_title, text) => {
  if (text !== undefined) write('tsconfig.json', text)
  expect(command()).toBeUndefined()
})

it('is shown by generate until the files are there', async () => {
  config({ outDir: 'dist', rootDir: 'src' })
  const items = '{ type: array, items: { type: string } }'
  const responses = `{ 200: { description: ok, content: { application/json: { schema: ${items} } } } }`
  write(
    'api.yaml',
    `openapi: 3.1.1\ninfo: { title: Shop, version: 1.0.0 }\npaths: { /pets: { get: { responses: ${responses} } } }\n`,
  )
  const { code, err } = await runDuet(cwd, ['generate', 'api.yaml', '--out', 'src/api'])
  expect(code).toBe(0)
  const shown =
    err
      .split('\n')
      .find((line) => line.startsWith('  node -e '))
      ?.trim() ?? ''
  expect(shown).toBe(command())
  execFileSync(shown, { cwd, shell: true })
  const copied = assets.filter((name) => !name.endsWith('.ts'))
  expect(readdirSync(join(cwd, 'dist/api')).sort()).toEqual([...copied, 'manifest.json', 'reference'].sort())
  rmSync(join(cwd, 'src'), { recursive: true })
  expect(existsSync(join(cwd, 'dist/api/validators.js'))).toBe(true)
  expect(await runDuet(cwd, ['generate', 'api.yaml', '--out', 'src/api'])).toMatchObject({ code: 0, err: '' })
})
