// @module-tag long

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

it('check:imports refuses what goes against the drawing of the folders', () => {
  const folder = mkdtempSync(join(tmpdir(), 'duet-imports-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync('.dependency-cruiser.mjs', join(folder, '.dependency-cruiser.mjs'))
  cpSync('tsconfig.base.json', join(folder, 'tsconfig.base.json'))
  const files = {
    'package.json': '{ "type": "module" }',
    'runtime/index.ts': 'export {}',
    'runtime/values/old.ts': 'export {}',
    'service/http/old.ts': 'export {}',
    // A folder without a column, with imports and without.
    'runtime/made-up/new.ts': "import '../values/old.js'",
    'generator/made-up/new.ts': 'export {}',
    // A folder that imports one above it, and one that imports a file of the root.
    'service/storage/new.ts': "import '../http/old.js'",
    'runtime/values/new.ts': "import '../index.js'",
    // A folder in its column.
    'runtime/rest/new.ts': "import '../values/old.js'",
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), `${text}\n`)
  }
  const cruiser = resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const { stdout, status } = spawnSync(
    process.execPath,
    [cruiser, '--output-type', 'err', 'generator', 'runtime', 'service'],
    { cwd: folder, encoding: 'utf8' },
  )
  const refused = [...stdout.matchAll(/error (.*): (\S+\.ts)/g)].map(([, rule, file]) => [file, rule])
  expect(refused.sort()).toEqual([
    ['generator/made-up/new.ts', 'each folder of generator is in its column'],
    ['runtime/made-up/new.ts', 'each folder of runtime is in its column'],
    ['runtime/values/new.ts', 'no folder of runtime imports a file of its root'],
    ['service/storage/new.ts', 'service/storage imports only what is below it'],
  ])
  expect(status).toBeGreaterThan(0)
})
