import { posix } from 'node:path'
import { contentDigest, inputDigest } from '../cache/store.js'
import { compareText } from '../document/cursor.js'
import type { InputFile } from '../document/document.js'
import type { Model, Source } from '../model/model.js'
import { version } from '../project/own-package.js'
import type { SharedForms } from '../schema/form.js'
import type { TypeForm } from '../types/type-form.js'
import type { Symbols } from './symbols.js'

/**
 * `manifest.json`: the hash of every input and output, and the document position of each exported symbol,
 * error and security scheme. Only this file has line numbers. Paths are relative to the document's folder, so
 * the result does not depend on the working folder.
 *
 * @param digests hashes of outputs by their paths; receives the others
 */
export function emitManifest(
  model: Model,
  symbols: Symbols,
  forms: SharedForms<TypeForm>,
  inputs: readonly InputFile[],
  specPath: string,
  outputs: ReadonlyMap<string, string>,
  digests: Map<string, string>,
): string {
  const known = new Map<string, string>()
  const near = (path: string): string => {
    const found = known.get(path) ?? nearPath(path, specPath)
    known.set(path, found)
    return found
  }
  const placed = (sources: Iterable<readonly [string, Source]>): Record<string, Source> =>
    Object.fromEntries(
      [...sources]
        .sort((a, b) => compareText(a[0], b[0]))
        .map(([name, { pointer, file, line, column }]) => [
          name,
          { pointer, file: near(file), line, column },
        ]),
    )
  const manifest = {
    generator: `duet ${version()}`,
    document: { path: posix.basename(specPath), title: model.title, version: model.version },
    ...(model.naming !== 'classic' && { naming: namingOf(model) }),
    inputs: sorted(inputs.map((file) => ({ path: near(file.path), sha256: inputDigest(file) }))),
    outputs: sorted(hashed(outputs, digests)),
    symbols: placed(symbolSources(model, symbols, forms, outputs)),
    errors: placed(model.origins.errors),
    securitySchemes: placed(model.origins.securitySchemes),
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** The names of the operations. Later runs keep them. */
function namingOf({ naming, operations }: Model): object {
  return {
    strategy: naming,
    operations: operations.map(({ name, isNameStated, operationId, rest: { method, path } }) => ({
      ...{ name, method, path },
      ...(operationId !== undefined && { operationId }),
      ...(isNameStated && { stated: true }),
    })),
  }
}

function nearPath(path: string, specPath: string): string {
  return /^https?:/.test(path) ? path : posix.relative(posix.dirname(specPath), path)
}

/** @param digests hashes of files by their paths; receives the others */
function hashed(files: ReadonlyMap<string, string>, digests: Map<string, string>): Hashed[] {
  return Array.from(files, ([path, text]) => {
    const sha256 = digests.get(path) ?? contentDigest(text)
    digests.set(path, sha256)
    return { path, sha256 }
  })
}

interface Hashed {
  readonly path: string
  readonly sha256: string
}

function sorted(files: Hashed[]): Hashed[] {
  return files.sort((a, b) => compareText(a.path, b.path))
}

function symbolSources(
  model: Model,
  symbols: Symbols,
  forms: SharedForms<TypeForm>,
  outputs: ReadonlyMap<string, string>,
): [string, Source][] {
  const found: [string, Source][] = []
  for (const operation of model.operations) {
    for (const symbol of Object.values(symbols.operation(operation))) {
      if (symbol !== undefined) found.push([symbol.name, operation.source])
    }
  }
  for (const { name, form } of forms.variants) {
    const source = model.sources.get(name)
    if (source !== undefined) found.push([symbols.component(name, form).name, source])
  }
  for (const webhook of model.webhooks) found.push([symbols.webhook(webhook).name, webhook.source])
  return [...found, ...namespaceSources(model, symbols, outputs.has('handlers.ts'))]
}

/** A namespace has no position, so it gets that of its first operation. */
function namespaceSources(model: Model, symbols: Symbols, hasHandlers: boolean): [string, Source][] {
  const found = new Map<string, Source>()
  const add = (name: string, source: Source): void => {
    if (!found.has(name)) found.set(name, source)
  }
  for (const { namespace, source } of model.operations) {
    if (hasHandlers) add(symbols.handlers(namespace).name, source)
    const parts = namespace.split('.')
    for (const [index] of parts.entries()) {
      add(symbols.client(parts.slice(0, index + 1).join('.')).name, source)
    }
  }
  return [...found]
}
