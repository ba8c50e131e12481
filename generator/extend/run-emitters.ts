import { createHash } from 'node:crypto'
import { compareText } from '../document/cursor.js'
import { isArray, isObject } from '../document/json.js'
import type { Model } from '../model/model.js'
import type { AsyncEmittedFiles, EmittedFiles, Emitter, EmitterTools } from '../project/emitter.js'
import { ExtensionError, reasonOf } from '../project/extension-error.js'
import { TakenPaths } from '../project/taken-paths.js'
import { freezeModel } from './freeze-model.js'

export interface EmitterRun {
  readonly emitter: Emitter
  readonly tools: EmitterTools
}

/**
 * The files of a version, with those of the project's emitters added. The manifest lists all of them, so that
 * duet checks and removes them like its own.
 *
 * @param core what duet itself writes
 * @param patience time limit in milliseconds for each emitter; undefined: none, as long as it is busy
 * @throws ExtensionError that names the emitter: it threw, or returned something that cannot be written
 */
export async function runEmitters(
  model: Model,
  core: ReadonlyMap<string, string>,
  runs: readonly EmitterRun[],
  patience?: number,
): Promise<ReadonlyMap<string, string>> {
  if (runs.length === 0) return core
  freezeModel(model)
  const files = new Map(core)
  const added = new Map<string, string>()
  const taken = new TakenPaths(core.keys())
  for (const { emitter, tools } of runs) {
    for (const [path, text] of await untilIdle(emitter, emitted(emitter, model, tools), patience)) {
      const wrong = taken.add(path)
      if (wrong !== undefined) {
        throw new ExtensionError(
          `The emitter ${emitter.name} returned ${JSON.stringify(path)}, which ${wrong}.`,
        )
      }
      if (typeof text !== 'string' || Buffer.from(text).toString() !== text) {
        throw new ExtensionError(`The emitter ${emitter.name} returned no UTF-8 text for ${path}.`)
      }
      files.set(path, text)
      added.set(path, text)
    }
  }
  const manifest = files.get('manifest.json')
  if (manifest !== undefined) files.set('manifest.json', withOutputs(manifest, added))
  return files
}

async function emitted(
  emitter: Emitter,
  model: Model,
  tools: EmitterTools,
): Promise<readonly (readonly [string, string])[]> {
  const pairs: (readonly [string, string])[] = []
  try {
    const files: unknown = await emitter.emit(model, tools)
    if (!isIterable(files))
      throw new TypeError(
        'it did not return an iterable. Return pairs of path and text: a Map, or [[path, text]]',
      )
    for await (const [path, text] of files) pairs.push([path, text])
  } catch (error) {
    throw new ExtensionError(`The emitter ${emitter.name} failed: ${reasonOf(error)}`, { cause: error })
  }
  return pairs
}

/** A text is iterable too, by its characters. */
function isIterable(files: unknown): files is EmittedFiles | AsyncEmittedFiles {
  return (
    typeof files === 'object' && files !== null && (Symbol.iterator in files || Symbol.asyncIterator in files)
  )
}

/**
 * Fails if the event loop is idle and the emitter has not ended: it waits for something that never happens,
 * and Node would end the process silently. A process with other tasks is never idle, so it needs the time
 * limit.
 */
async function untilIdle<T>(emitter: Emitter, work: Promise<T>, patience: number | undefined): Promise<T> {
  let stop = (): void => {}
  let timer: NodeJS.Timeout | undefined
  const idle = new Promise<never>((_, reject) => {
    const fail = (what: string) => reject(new ExtensionError(`The emitter ${emitter.name} ${what}`))
    stop = () => fail('never ends: it waits for a promise that never settles.')
    if (patience !== undefined) {
      const late = () => fail(`has not ended within ${patience / 1000} s. duet stops waiting.`)
      timer = setTimeout(late, patience)
    }
  })
  process.once('beforeExit', stop)
  try {
    return await Promise.race([work, idle])
  } finally {
    process.removeListener('beforeExit', stop)
    clearTimeout(timer)
  }
}

function withOutputs(text: string, added: ReadonlyMap<string, string>): string {
  const manifest: unknown = JSON.parse(text)
  if (!isObject(manifest) || !isArray(manifest.outputs)) throw new Error('The manifest lists no outputs')
  const outputs = [
    ...manifest.outputs,
    ...Array.from(added, ([path, content]) => ({
      path,
      sha256: createHash('sha256').update(content, 'utf8').digest('hex'),
    })),
  ]
  const pathOf = (output: unknown): string => (isObject(output) ? String(output.path) : '')
  outputs.sort((a, b) => compareText(pathOf(a), pathOf(b)))
  return `${JSON.stringify({ ...manifest, outputs }, null, 2)}\n`
}
