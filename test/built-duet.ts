import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { template } from '../service/testing/template.js'

// Tests of a real process: the built program, its streams and its exit code.

export const project = fileURLToPath(new URL('..', import.meta.url))

/** Builds the program, once per test run. Returns the compiler's output, which should be empty. */
export async function build(): Promise<string> {
  const folder = await template('built-duet', async (filling) => {
    mkdirSync(filling)
    const compiler = join(project, 'node_modules/typescript7/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [compiler, '-b', 'generator'], {
      cwd: project,
      encoding: 'utf8',
    })
    writeFileSync(join(filling, 'stdout'), stdout)
  })
  return readFileSync(join(folder, 'stdout'), 'utf8')
}

/** Creates a folder with the billing documents and their config file. The caller removes it. */
export function billingFolder(): string {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-process-'))
  cpSync(join(project, 'spec'), join(cwd, 'spec'), { recursive: true })
  cpSync(join(project, 'duet.config.json'), join(cwd, 'duet.config.json'))
  return cwd
}

/** Runs the built program in a folder. */
export function duetIn(cwd: string, ...args: string[]) {
  const { NO_COLOR: _, FORCE_COLOR: __, ...env } = process.env
  const command = [join(project, 'generator/bin/duet.js'), ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd, encoding: 'utf8', env })
  return { status, stdout, stderr }
}
