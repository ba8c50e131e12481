import { readdirSync, statSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { closest } from '../../document/spelling.js'
import { type LoadedEmitter, loadEmitters } from '../../extend/load-emitters.js'
import { type Config, findConfig } from '../../project/config.js'
import { type Templates, templatesOf } from '../../project/templates.js'
import { UsageError } from '../../project/usage-error.js'
import { assetPaths } from '../../reference/assets.js'
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

function templateFolder({ emitters, templates, file }: Config, cwd: string): string | undefined {
  if (templates === undefined) return undefined
  const folder = resolve(cwd, templates)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`templates in ${file}: there is no folder ${templates}.`)
  const known = ['package-readme.hbs', ...assetPaths]
  const folders = new Set(known.flatMap((path) => path.split('/').slice(0, -1)))
  for (const found of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = found.replaceAll(sep, '/')
    // Emitters may render templates of their own, outside of duet's folders.
    const isOwn = emitters.length > 0 && !folders.has(path.split('/', 1)[0] ?? '')
    if (isOwn || known.includes(path) || !/\.(?:css|hbs|js)$/.test(path)) continue
    const similar = closest(path, known)
    const hint = similar === undefined ? '' : ` Did you mean ${similar}?`
    throw new UsageError(
      `templates in ${file}: ${templates}/${path} replaces nothing.${hint} The templates are ${known.join(', ')}.`,
    )
  }
  return folder
}
