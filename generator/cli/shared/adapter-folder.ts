import { resolve } from 'node:path'
import type { Apis } from '../../adapt/derived-file.js'
import type { Model } from '../../model/model.js'
import { findConfig } from '../../project/config.js'
import type { Terminal } from '../../project/terminal.js'
import { apiModule } from './api-module.js'

/**
 * The folder of the adapters, and the modules from which its files import both versions.
 *
 * @param given the folder on the command line. Undefined: that of the config file, else `adapters`
 */
export function adapterFolder(
  given: string | undefined,
  [older, next]: readonly [Model, Model],
  terminal: Pick<Terminal, 'cwd'>,
): { readonly folder: string; readonly apis: Apis } {
  const { cwd } = terminal
  const folder = resolve(cwd, given ?? findConfig(cwd)?.adapters ?? 'adapters')
  const apiOf = (model: Model): string => apiModule(undefined, model, folder, terminal)
  return { folder, apis: { older: apiOf(older), next: apiOf(next) } }
}
