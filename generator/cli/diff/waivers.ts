import { resolve } from 'node:path'
import type { WaiverEntry } from '../../diff/gate/waiver.js'
import { displayPath, readText } from '../../document/file.js'
import { findConfig } from '../../project/config.js'
import { UsageError } from '../../project/usage-error.js'
import type { Findings } from '../shared/report.js'

/** The waivers of a review, and the faults of their file. */
export interface Waivers extends Findings {
  readonly waivers: readonly WaiverEntry[]
}

/** Waivers of the file that the command names, else of the configured file, else none. Throws UsageError. */
export async function projectWaivers(named: string | undefined, cwd: string): Promise<Waivers> {
  const config = named === undefined ? findConfig(cwd) : undefined
  const given = named ?? config?.waivers
  if (given === undefined) return { file: '', files: [], diagnostics: [], waivers: [] }
  const path = displayPath(resolve(cwd, given), cwd)
  const read = readText(resolve(cwd, given))
  if ('reason' in read) {
    const setting = named === undefined ? `waivers in ${config?.file}: ` : ''
    throw new UsageError(`${setting}${given} cannot be read: ${read.reason}.`)
  }
  const { readWaivers } = await import('../../diff/gate/waiver-file.js')
  return { file: path, files: [{ path, text: read.text }], ...readWaivers(path, read.text) }
}
