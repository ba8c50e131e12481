import { noPieces, type Pieces } from '../cache/pieces.js'
import type { InputFile } from '../document/document.js'
import type { Model } from '../model/model.js'
import { Timings } from '../project/timings.js'
import type { Neighbours } from '../reference/neighbours.js'
import { typeFormsOf } from '../types/type-forms.js'
import { emitValidators, emitValidatorTypes } from '../validators/validators.js'
import { emitClient } from './client.js'
import { emitExpress } from './express.js'
import { emitHandlers } from './handlers.js'
import { emitJsonRpc } from './jsonrpc.js'
import { emitManifest } from './manifest.js'
import { emitOpenRpc } from './openrpc.js'
import { emitOperations } from './operations.js'
import { emitSchemas } from './schemas.js'
import { nameSymbols } from './symbols.js'
import { emitTypes } from './types.js'
import { emitVersion } from './version.js'

export interface EmitTools {
  /** Writes nothing but what a client needs. */
  readonly clientOnly?: boolean
  readonly pieces?: Pieces
  readonly timings?: Timings
  /** Gets the SHA-256 of files by their paths, for whoever would hash them again. */
  readonly digests?: Map<string, string>
  /** Milliseconds that each emitter of a team's own may take; undefined: as long as it has something to do. */
  readonly patience?: number
  /** What the reference says of other versions; undefined: there shall be no reference. */
  readonly reference?: Neighbours
  /** Folder whose templates come before duet's own. */
  readonly templates?: string
}

/**
 * Every file of one version by its path within the version's folder: the same bytes for the same model,
 * but for `manifest.json`, which also depends on the files that were read.
 *
 * @param inputs the files that the model was read from
 * @param specPath path of the entry file as the manifest shows it
 * @param tools `clientOnly`: leaves out what only a service needs; `pieces`: parts kept from earlier runs; `timings`: counts each emitter's time;
 * `digests`: gets the SHA-256 of each file that the manifest lists; `reference`: with it there is a reference
 */
export async function emit(
  model: Model,
  inputs: readonly InputFile[],
  specPath: string,
  { clientOnly, pieces = noPieces, timings = new Timings(), digests, reference, templates }: EmitTools = {},
): Promise<Map<string, string>> {
  const forms = timings.measure('emit forms', () => typeFormsOf(model))
  const symbols = timings.measure('emit symbols', () => nameSymbols(model, forms))
  const files = new Map<string, string>()
  const write = async (path: string, make: () => string | Promise<string>): Promise<void> => {
    files.set(path, await timings.measure(`emit ${path}`, make))
  }
  await write('client.ts', () => emitClient(model, symbols))
  await write('operations.ts', () => emitOperations(model, symbols))
  if (clientOnly !== true) {
    await write('express.ts', () => emitExpress(model, symbols))
    await write('handlers.ts', () => emitHandlers(model, symbols))
    await write('index.ts', () => emitVersion(model))
    await write('jsonrpc.ts', () => emitJsonRpc(model, symbols))
    await write('openapi.json', () => `${JSON.stringify(model.openapi, null, 2)}\n`)
    await write('openrpc.json', () => emitOpenRpc(model))
    await write('schemas.ts', () => emitSchemas(model))
    await write('validators.d.ts', () => emitValidatorTypes(model))
    await write('validators.js', () => emitValidators(model, pieces))
  }
  await write('types.ts', () => emitTypes(model, symbols, forms, pieces))
  if (reference !== undefined) {
    await timings.measure('emit reference', async () => {
      const { emitReference } = await import('../reference/site.js')
      for (const [path, text] of await emitReference(model, reference, { templates, texts: pieces.texts }))
        files.set(path, text)
    })
  }
  await write('manifest.json', () => emitManifest(model, symbols, forms, inputs, specPath, files, digests))
  return files
}
