import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// What only a real process shows: the built program, its streams and its exit code.

export const project = fileURLToPath(new URL('..', import.meta.url))

/** Builds the program; returns what the compiler says, which should be nothing. */
export function build(): string {
  return spawnSync('npx', ['tsc', '-b', 'generator'], { cwd: project, encoding: 'utf8' }).stdout
}

/** A folder of its own with the billing documents and their config file. The caller removes it. */
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
