import type { InputFile } from '../load/document.js'
import type { Model } from '../model/model.js'
import { emitClient } from './client.js'
import { emitExpress } from './express.js'
import { emitHandlers } from './handlers.js'
import { emitJsonRpc } from './jsonrpc.js'
import { emitManifest } from './manifest.js'
import { emitOpenRpc } from './openrpc.js'
import { emitOperations } from './operations.js'
import { nameSymbols } from './symbols.js'
import { typeFormsOf } from './type-schema.js'
import { emitTypes } from './types.js'
import { emitValidators, emitValidatorTypes } from './validators.js'
import { emitVersion } from './version.js'

/**
 * Every file of one version by its path within the version's folder: the same bytes for the same model,
 * but for `manifest.json`, which also depends on the files that were read.
 *
 * @param inputs the files that the model was read from
 * @param specPath path of the entry file as the manifest shows it
 */
export async function emit(
  model: Model,
  inputs: readonly InputFile[],
  specPath: string,
): Promise<Map<string, string>> {
  const forms = typeFormsOf(model)
  const symbols = nameSymbols(model, forms)
  const files = new Map([
    ['client.ts', emitClient(model, symbols)],
    ['express.ts', emitExpress(model, symbols)],
    ['handlers.ts', emitHandlers(model, symbols)],
    ['index.ts', emitVersion(model)],
    ['jsonrpc.ts', emitJsonRpc(model, symbols)],
    ['openapi.json', `${JSON.stringify(model.openapi, null, 2)}\n`],
    ['openrpc.json', emitOpenRpc(model)],
    ['operations.ts', emitOperations(model, symbols)],
    ['types.ts', emitTypes(model, symbols, forms)],
    ['validators.d.ts', emitValidatorTypes(model)],
    ['validators.js', emitValidators(model)],
  ])
  files.set('manifest.json', emitManifest(model, symbols, forms, inputs, specPath, files))
  return files
}
