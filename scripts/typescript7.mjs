// Type-checks every project with TypeScript 7, in a fifth of the time of 5.9. Reads the output of an earlier
// build with TypeScript 5.9.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const home = dirname(createRequire(import.meta.url).resolve('typescript7/package.json'))
const projects = [
  'runtime',
  'generator',
  'generated',
  'service',
  'tsconfig.test.json',
  'templates/reference/script',
]

let status = 0
for (const project of projects) {
  const args = [join(home, 'bin', 'tsc'), '--noEmit', '-p', project]
  const result = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (result.status !== 0) status = 1
}
process.exit(status)
