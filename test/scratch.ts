import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for the whole test run, for files that are created once and then copied. */
    readonly scratch: string
  }
}

let folder: string

export function setup({ provide }: TestProject): void {
  folder = mkdtempSync(join(tmpdir(), 'duet-run-'))
  provide('scratch', folder)
}

export function teardown(): void {
  rmSync(folder, { recursive: true, force: true })
}
