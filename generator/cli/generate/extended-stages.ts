import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type LoadedEmitter, loadEmitters } from '../../extend/load-emitters.js'
import { type Config, findConfig } from '../../project/config.js'
import { type Templates, templatesOf } from '../../project/templates.js'
import { UsageError } from '../../project/usage-error.js'
import type { Stages } from '../shared/stages.js'

/**
 * The stages, extended by the emitters and templates of the folder's config file. The file is read at the
 * first emit, which throws its faults as UsageErrors.
 */
export function extendedStages(stages: Stages, cwd: string): Stages {
  let extension: Extension | undefined
  const extended = (): Extension => {
    extension ??= extensionOf(cwd)
    return extension
  }
  return {
    ...stages,
    emit: async (model, inputs, specPath, tools) => {
      const { emitters, templates, folder } = extended()
      const core = await stages.emit(model, inputs, specPath, {
        ...tools,
        ...(folder && { templates: folder }),
      })
      if (emitters.length === 0) return core
      // Loads what emitters receive only if there are emitters.
      const [{ exampleCalls }, { sentRequest }, { runEmitters }] = await Promise.all([
        import('../../samples/example-call.js'),
        import('../../samples/sent-request.js'),
        import('../../extend/run-emitters.js'),
      ])
      const example = exampleCalls(model)
      const runs = emitters.map(({ emitter, options }) => ({
        emitter,
        tools: { options, example, request: sentRequest, render: templates.render },
      }))
      const run = () => runEmitters(model, core, runs, tools?.patience)
      return tools?.timings?.measure('emitters', run) ?? run()
    },
    emitPackage: (versions, name, options) =>
      stages.emitPackage(versions, name, { ...options, templates: extended().templates }),
  }
}

interface Extension {
  readonly emitters: readonly LoadedEmitter[]
  readonly templates: Templates
  /** Absolute path of the team's own templates. */
  readonly folder?: string | undefined
}

function extensionOf(cwd: string): Extension {
  const config = findConfig(cwd)
  if (config === undefined) return { emitters: [], templates: templatesOf() }
  const folder = templateFolder(config, cwd)
  return {
    emitters: loadEmitters(config.emitters, cwd, config.file),
    templates: templatesOf(folder),
    folder,
  }
}

function templateFolder({ templates, file }: Config, cwd: string): string | undefined {
  if (templates === undefined) return undefined
  const folder = resolve(cwd, templates)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder
  throw new UsageError(`templates in ${file}: there is no folder ${templates}.`)
}
