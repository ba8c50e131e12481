import { noPieces, type Pieces } from '../cache/pieces.js'
import type { InputFile } from '../document/document.js'
import { writtenJson } from '../document/written-digits.js'
import type { Model } from '../model/model.js'
import { OperationPieces } from '../model/operation-pieces.js'
import { Timings } from '../project/timings.js'
import type { Neighbours } from '../reference/neighbours.js'
import { typeFormsOf } from '../types/type-forms.js'
import { emitValidators, emitValidatorTypes } from '../validators/validators.js'
import { emitClient } from './client.js'
import { emitExpress } from './express.js'
import { emitHandlers } from './handlers.js'
import { emitJsonRpc } from './jsonrpc.js'
import { emitManifest } from './manifest.js'
import { emitMcp } from './mcp.js'
import { emitOpenRpc } from './openrpc.js'
import { emitOperations } from './operations.js'
import { emitSchemas } from './schemas.js'
import { nameSymbols } from './symbols.js'
import { emitTypes } from './types.js'
import { emitVersion } from './version.js'
import { filesOf, type VersionFile } from './version-files.js'

export interface EmitTools {
  /** Writes only the files that a client needs. */
  readonly clientOnly?: boolean
  readonly pieces?: Pieces
  readonly timings?: Timings
  /** Receives the SHA-256 of files by their paths, to save hashing them again. */
  readonly digests?: Map<string, string>
  /**
   * Receives what makes the text of each page that an earlier run has made. The result has the page's SHA-256
   * instead. Undefined: makes all texts.
   */
  readonly makers?: Map<string, () => Promise<string>>
  /** Time limit in milliseconds for each emitter of the project. Undefined: none, as long as it is busy. */
  readonly patience?: number
  /** Other versions, for the reference. Undefined: no reference. */
  readonly reference?: Neighbours
  /** Folder with templates that replace duet's own. */
  readonly templates?: string
}

/**
 * Every file of one version by its path within the version's folder. The same model gives the same bytes,
 * except for `manifest.json`, which also depends on the source files.
 *
 * @param inputs the files that the model was read from
 * @param specPath path of the entry file as the manifest shows it
 * @param tools `clientOnly`: omits what only a service needs; `pieces`: parts stored by earlier runs;
 * `timings`: counts each emitter's time; `digests`: receives the SHA-256 of each file that the manifest
 * lists; `reference`: adds a reference
 */
export async function emit(
  model: Model,
  inputs: readonly InputFile[],
  specPath: string,
  {
    clientOnly,
    pieces = noPieces,
    timings = new Timings(),
    digests = new Map(),
    makers,
    reference,
    templates,
  }: EmitTools = {},
): Promise<Map<string, string>> {
  const parts = new OperationPieces(model, pieces)
  const forms = timings.measure('emit forms', () => typeFormsOf(model, pieces, parts))
  const symbols = timings.measure('emit symbols', () => nameSymbols(model, forms))
  const files = new Map<string, string>()
  const write = async (path: string, make: () => string | Promise<string>): Promise<void> => {
    files.set(path, await timings.measure(`emit ${path}`, make))
  }
  const emitters: { readonly [path in VersionFile]: () => string | Promise<string> } = {
    'client.ts': () => emitClient(model, symbols, clientOnly !== true),
    'express.ts': () => emitExpress(model, symbols),
    'handlers.ts': () => emitHandlers(model, symbols, parts),
    'index.ts': () => emitVersion(model),
    'jsonrpc.ts': () => emitJsonRpc(model, symbols),
    'mcp.json': () => emitMcp(model, parts),
    'openapi.json': () => `${writtenJson(model.openapi, 2)}\n`,
    'openrpc.json': () => emitOpenRpc(model, parts),
    'operations.ts': () => emitOperations(model, symbols, parts),
    'schemas.ts': () => emitSchemas(model),
    'types.ts': () => emitTypes(model, symbols, forms, pieces, parts),
    'validators.d.ts': () => emitValidatorTypes(model),
    'validators.js': () => emitValidators(model, pieces),
  }
  for (const path of filesOf(clientOnly === true)) await write(path, emitters[path])
  if (reference !== undefined) {
    await timings.measure('emit reference', async () => {
      const { emitReference } = await import('../reference/site.js')
      for (const [path, text] of await emitReference(model, reference, {
        templates,
        pieces: parts,
        ...(makers && { known: { pieces, makers } }),
      }))
        files.set(path, text)
      for (const path of makers?.keys() ?? []) digests.set(path, files.get(path) ?? '')
    })
  }
  await write('manifest.json', () => emitManifest(model, symbols, forms, inputs, specPath, files, digests))
  return files
}
