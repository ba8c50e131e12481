import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * A folder for the whole test run, for files that are created once and then copied. A file `server-…` in it names
     * the data of a PostgreSQL server that the end of the run ends.
     */
    readonly scratch: string
  }
}

let folder: string

export function setup({ provide }: TestProject): void {
  folder = mkdtempSync(join(tmpdir(), 'duet-run-'))
  provide('scratch', folder)
}

export async function teardown(): Promise<void> {
  const names = readdirSync(folder).filter((name) => name.startsWith('server-'))
  await Promise.all(names.map((name) => endServer(readFileSync(join(folder, name), 'utf8'))))
  rmSync(folder, { recursive: true, force: true })
}

/** Ends a server if its worker has not done so. The server removes the file with its number at its very end. */
async function endServer(data: string): Promise<void> {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return
  const [pid] = readFileSync(file, 'utf8').split('\n')
  try {
    process.kill(Number(pid), 'SIGQUIT')
  } catch {
    // It has ended.
  }
  const deadline = Date.now() + 10_000
  while (existsSync(file) && Date.now() < deadline) await delay(20)
  rmSync(data, { recursive: true, force: true, maxRetries: 5 })
}
