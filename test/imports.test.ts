import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

it.each([
  [
    'a folder without a column',
    { 'runtime/made-up/new.ts': "import '../values/old.js'" },
    'each folder of runtime',
  ],
  ['a lone folder without a column', { 'generator/made-up/new.ts': '' }, 'each folder of generator'],
  [
    'a folder that imports one above it',
    { 'service/storage/new.ts': "import '../http/old.js'" },
    'service/storage',
  ],
  [
    'a folder that imports a file of the root',
    { 'runtime/values/new.ts': "import '../index.js'" },
    'no folder',
  ],
  ['a folder in its column', { 'runtime/rest/new.ts': "import '../values/old.js'" }, undefined],
])('check:imports judges %s', (_title, files: Readonly<Record<string, string>>, rule) => {
  const folder = mkdtempSync(join(tmpdir(), 'duet-imports-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync('.dependency-cruiser.mjs', join(folder, '.dependency-cruiser.mjs'))
  cpSync('tsconfig.base.json', join(folder, 'tsconfig.base.json'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const old = { 'runtime/index.ts': '', 'runtime/values/old.ts': '', 'service/http/old.ts': '' }
  for (const [path, text] of Object.entries({ 'generator/cli/old.ts': '', ...old, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), `${text}\nexport {}\n`)
  }
  const cruiser = resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const { stdout, status } = spawnSync(process.execPath, [cruiser, 'generator', 'runtime', 'service'], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(status, stdout).toBe(rule === undefined ? 0 : 1)
  expect(stdout).toContain(rule ?? 'no dependency violations')
})
