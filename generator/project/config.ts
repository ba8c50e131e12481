import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readText } from '../document/file.js'
import { closest } from '../document/spelling.js'
import { reasonOf } from './extension-error.js'
import { loadFile } from './modules/module.js'
import { apiPackage, isPackageName, readSettings, type Settings } from './settings.js'
import { documentsAt, namedSpecs } from './specs.js'
import { UsageError } from './usage-error.js'

/** The settings of a project, in a file at its root. */
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

/** Reads the config file of a folder, if it has one. Throws UsageError if it is invalid. */
export function findConfig(cwd: string): Config | undefined {
  const [file, other] = configNames.filter((name) => existsSync(join(cwd, name)))
  if (file === undefined) return undefined
  if (other !== undefined) throw new UsageError(`There are both ${file} and ${other}. Keep one of them.`)
  const value = file.endsWith('.json') ? readJson(file, cwd) : readModule(file, cwd)
  const config = { ...readSettings(value, file, suggestedPackage(cwd)), file }
  checkNamedFiles(config, cwd)
  return config
}

/** The package name that messages suggest, made from the project's own name. Undefined without such a name. */
function suggestedPackage(cwd: string): string | undefined {
  const read = readText(join(cwd, 'package.json'))
  try {
    const { name } = JSON.parse('text' in read ? read.text : '{}')
    return typeof name === 'string' && isPackageName(apiPackage(name)) ? apiPackage(name) : undefined
  } catch {
    // The package manager reports a broken package.json.
    return undefined
  }
}

/** Throws UsageError if `waivers` or `baseline` names something that does not exist. */
function checkNamedFiles({ file, waivers, baseline, specs: listed = [] }: Config, cwd: string): void {
  if (waivers !== undefined && !existsSync(resolve(cwd, waivers)))
    throw new UsageError(`waivers in ${file}: ${waivers} cannot be read: there is no such file.`)
  const specs = typeof baseline === 'string' ? [baseline] : Object.entries(baseline ?? {}).flat()
  const named = specs.filter((spec) => spec !== 'previous' && !spec.startsWith('git:'))
  try {
    namedSpecs(named, cwd, () => listed.flatMap((spec) => documentsAt(resolve(cwd, spec))))
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`baseline in ${file}: ${error.message}`) : error
  }
}

/**
 * Throws UsageError if `naming` has a strategy for a version that no document has.
 *
 * @param versions those of all documents of the project
 */
export function checkNamedVersions({ file, naming }: Config, versions: readonly string[]): void {
  if (typeof naming !== 'object') return
  const unknown = Object.keys(naming).find((version) => !versions.includes(version))
  if (unknown === undefined) return
  const similar = closest(unknown, versions)
  const hint = similar === undefined ? `The versions are ${versions.join(', ')}.` : `Did you mean ${similar}?`
  throw new UsageError(`naming in ${file}: no document has the version ${unknown}. ${hint}`)
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
