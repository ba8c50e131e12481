import { resolve } from 'node:path'
import type { Apis } from '../../adapt/derived-file.js'
import type { Model } from '../../model/model.js'
import { findConfig } from '../../project/config.js'
import type { Terminal } from '../../project/terminal.js'
import { apiModule } from './api-module.js'
import type { Stages } from './stages.js'

/** Stages that model a document for adapters: as it is generated, since they convert what code has. */
export function stagesOfCode(stages: Stages, project: string): Pick<Stages, 'buildModel'> {
  const int64 = findConfig(project)?.int64
  return {
    buildModel: (document, naming, before) => stages.buildModel(document, naming, before, int64),
  }
}

/** The folder of the adapters by the config file. */
export function adaptersOf(cwd: string): string {
  return resolve(cwd, findConfig(cwd)?.adapters ?? 'adapters')
}

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
  const folder = given === undefined ? adaptersOf(cwd) : resolve(cwd, given)
  const apiOf = (model: Model): string => apiModule(undefined, model, folder, terminal)
  return { folder, apis: { older: apiOf(older), next: apiOf(next) } }
}
