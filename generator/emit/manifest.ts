import { createHash } from 'node:crypto'
import type { InputFile } from '../load/document.js'
import { compareText } from '../model/cursor.js'
import type { Model, Source } from '../model/model.js'
import type { SharedForms } from './form.js'
import type { Symbols } from './symbols.js'
import type { TypeForm } from './type-schema.js'

/**
 * `manifest.json`: the hash of every input and output, and where in the document each exported symbol
 * comes from. It alone holds line numbers.
 */
export function emitManifest(
  model: Model,
  symbols: Symbols,
  forms: SharedForms<TypeForm>,
  inputs: readonly InputFile[],
  specPath: string,
  outputs: ReadonlyMap<string, string>,
): string {
  const manifest = {
    generator: 'duet 1.0.0',
    document: { path: specPath, title: model.title, version: model.version },
    inputs: hashed(inputs.map((file) => [file.path, file.text])),
    outputs: hashed(outputs),
    symbols: Object.fromEntries(symbolSources(model, symbols, forms)),
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

function hashed(files: Iterable<readonly [string, string]>): { path: string; sha256: string }[] {
  return [...files]
    .map(([path, text]) => ({ path, sha256: createHash('sha256').update(text, 'utf8').digest('hex') }))
    .sort((a, b) => compareText(a.path, b.path))
}

function symbolSources(model: Model, symbols: Symbols, forms: SharedForms<TypeForm>): [string, Source][] {
  const found: [string, Source][] = []
  for (const operation of model.operations) {
    const { constant, params, input, result } = symbols.operation(operation)
    for (const symbol of [constant, params, input, result])
      found.push([symbol.name, ordered(operation.source)])
  }
  for (const { name, form } of forms.variants) {
    const source = model.sources.get(name)
    if (source !== undefined) found.push([symbols.component(name, form).name, ordered(source)])
  }
  return found.sort(([a], [b]) => compareText(a, b))
}

function ordered({ pointer, file, line, column }: Source): Source {
  return { pointer, file, line, column }
}
