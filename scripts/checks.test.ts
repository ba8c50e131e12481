import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'duet-scripts-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['figures.mjs', 'help.mjs', 'types.mjs'])
    cpSync(`scripts/${name}`, join(folder, 'scripts', name))
})

const run = (script: string) =>
  spawnSync(process.execPath, [join(folder, 'scripts', script)], { cwd: folder, encoding: 'utf8' })

it('check:types compiles every project after one that fails, and fails', () => {
  const bin = join(folder, 'node_modules/typescript7/bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const compiler = `import { appendFileSync } from 'node:fs'
const args = process.argv.slice(2).join(' ')
appendFileSync('compiled', args + '\\n')
process.exit(args === '-b' ? 1 : 0)
`
  writeFileSync(join(bin, 'tsc'), compiler)
  writeFileSync(join(folder, 'node_modules/typescript7/package.json'), '{ "type": "module" }')
  expect(run('types.mjs').status).toBe(1)
  expect(readFileSync(join(folder, 'compiled'), 'utf8')).toBe(
    '-b\n-p tsconfig.test.json\n-p templates/reference/script\n',
  )
})

it('figures.mjs asks for the packages in one line', () => {
  const { status, stdout, stderr } = run('figures.mjs')
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: 'The packages are missing. Run `npm ci` first.\n',
  })
})
