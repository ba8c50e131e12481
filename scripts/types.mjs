// Type-checks every project with TypeScript 7, and writes what `npm run build` writes. Compiles each even if one before
// it has errors, and fails if any has.
import './help.mjs'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const projects = [['-b'], ['-p', 'tsconfig.test.json'], ['-p', 'templates/reference/script']]

let status = 0
for (const project of projects) {
  const args = ['node_modules/typescript7/bin/tsc', ...project]
  const result = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (result.status !== 0) status = 1
}
process.exit(status)
