import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from '../extend/extension-error.js'
import { loadFile } from '../extend/module.js'
import { readSettings, type Settings } from '../extend/settings.js'
import { readText } from '../load/file.js'
import { UsageError } from './usage-error.js'

/** What a project sets once, in a file at its root. */
export interface Config extends Settings {
  /** The file's name. */
  readonly file: string
}

/** Names that a config file can have. */
export const configNames = [
  'duet.config.ts',
  'duet.config.mjs',
  'duet.config.js',
  'duet.config.json',
] as const

/** Reads the config file of a folder, if it has one. Throws UsageError where it is wrong. */
export function findConfig(cwd: string): Config | undefined {
  const [file, other] = configNames.filter((name) => existsSync(join(cwd, name)))
  if (file === undefined) return undefined
  if (other !== undefined) throw new UsageError(`There are both ${file} and ${other}. Keep one of them.`)
  const value = file.endsWith('.json') ? readJson(file, cwd) : readModule(file, cwd)
  return { ...readSettings(value, file), file }
}

function readJson(file: string, cwd: string): unknown {
  const read = readText(join(cwd, file))
  if ('reason' in read) throw new UsageError(`${file} cannot be read: ${read.reason}.`)
  try {
    return JSON.parse(read.text)
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${reasonOf(error)}`)
  }
}

function readModule(file: string, cwd: string): unknown {
  const { default: value } = loadModule(file, cwd)
  if (value !== undefined) return value
  throw new UsageError(`${file} has no default export. Write: export default defineConfig({ … })`)
}

function loadModule(file: string, cwd: string): Readonly<Record<string, unknown>> {
  try {
    return loadFile(join(cwd, file))
  } catch (error) {
    throw new UsageError(`${file} cannot be loaded: ${reasonOf(error)}`, { cause: error })
  }
}
