// Packs each published package and checks the archive with publint and are-the-types-wrong.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'duet-pack-'))

let status = 0
for (const name of ['duet-runtime', 'duet-api', 'duet-templates', 'create-duet', '@billing/api']) {
  run('npm', 'pack', '--silent', '--workspace', name, '--pack-destination', scratch)
}
for (const archive of readdirSync(scratch).sort()) {
  const path = join(scratch, archive)
  run('npx', 'publint', 'run', path, '--strict')
  // Packages are ESM only: Node 20.19 and later load them with require() as well.
  if (!/^(?:duet-templates|create-duet)-/.test(archive))
    run('npx', 'attw', path, '--profile', 'esm-only', '--format', 'ascii', '--no-color')
}
rmSync(scratch, { recursive: true, force: true })
process.exit(status)

/** @param {string} command @param {...string} args */
function run(command, ...args) {
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8' })
  if (result.status === 0) return
  console.error(`${command} ${args.join(' ')}\n${result.stdout}${result.stderr}`)
  status = 1
}
