import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { JsonObject } from '../document/document.js'
import type { Emitter } from '../project/emitter.js'
import { reasonOf } from '../project/extension-error.js'
import { loadFile, loadPackage } from '../project/modules/module.js'
import { type EmitterSetting, isEmitter } from '../project/settings.js'
import { UsageError } from '../project/usage-error.js'

/** An emitter of the project, with its options from the config file. */
export interface LoadedEmitter {
  readonly emitter: Emitter
  readonly options: JsonObject
}

/**
 * Loads the emitters that a config file names.
 *
 * @param file the config file's name, for messages
 * @throws UsageError one line that names the setting
 */
export function loadEmitters(
  settings: readonly EmitterSetting[],
  cwd: string,
  file: string,
): LoadedEmitter[] {
  return settings.map(({ setting, use, options }) => ({
    emitter: typeof use === 'string' ? loadEmitter(use, setting, cwd, file) : use,
    options,
  }))
}

function loadEmitter(use: string, setting: string, cwd: string, file: string): Emitter {
  const path = resolve(cwd, use)
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true
  if (!isFile && /^\.{0,2}\//.test(use)) {
    throw new UsageError(`${setting} in ${file}: there is no file ${use}.`)
  }
  const module = loadModule(
    () => (isFile ? loadFile(path) : loadPackage(use, cwd)),
    use,
    `${setting} in ${file}`,
  )
  const found = [module.default, module.emitter].find(isEmitter)
  if (found !== undefined) return found
  throw new UsageError(
    `${setting} in ${file}: ${use} exports no emitter, neither by default nor as "emitter". Write: export const emitter = { name, emit }`,
  )
}

function loadModule<T>(load: () => T, use: string, setting: string): T {
  try {
    return load()
  } catch (error) {
    const reason = reasonOf(error)
    // Node names the temporary file that imports the package.
    const isMissing = reason.startsWith(`Cannot find package '${use}' `)
    const known = isMissing ? `there is no package ${use}. For a file write ./${use}` : reason
    throw new UsageError(`${setting}: ${use} cannot be loaded: ${known}`, { cause: error })
  }
}
