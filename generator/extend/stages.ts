import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Config, findConfig } from '../cli/config.js'
import type { Stages } from '../cli/stages.js'
import { UsageError } from '../cli/usage-error.js'
import { exampleCalls } from '../mock/example-call.js'
import { sentRequest } from '../mock/sent-request.js'
import { type LoadedEmitter, loadEmitters } from './load-emitters.js'
import { runEmitters } from './run-emitters.js'
import { type Templates, templatesOf } from './templates.js'

/**
 * The stages with what the config file of a folder adds to them: its emitters, its templates. The file is
 * read when something is first emitted; its faults are thrown then, as UsageErrors.
 */
export function extendedStages(stages: Stages, cwd: string): Stages {
  let extension: Extension | undefined
  const extended = (): Extension => {
    extension ??= extensionOf(cwd)
    return extension
  }
  return {
    ...stages,
    emit: async (model, inputs, specPath) => {
      const { emitters, templates } = extended()
      const core = await stages.emit(model, inputs, specPath)
      const example = exampleCalls(model)
      const runs = emitters.map(({ emitter, options }) => ({
        emitter,
        tools: { options, example, request: sentRequest, render: templates.render },
      }))
      return runEmitters(model, core, runs)
    },
  }
}

interface Extension {
  readonly emitters: readonly LoadedEmitter[]
  readonly templates: Templates
}

function extensionOf(cwd: string): Extension {
  const config = findConfig(cwd)
  if (config === undefined) return { emitters: [], templates: templatesOf() }
  return {
    emitters: loadEmitters(config.emitters, cwd, config.file),
    templates: templatesOf(templateFolder(config, cwd)),
  }
}

function templateFolder({ templates, file }: Config, cwd: string): string | undefined {
  if (templates === undefined) return undefined
  const folder = resolve(cwd, templates)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder
  throw new UsageError(`templates in ${file}: there is no folder ${templates}.`)
}
