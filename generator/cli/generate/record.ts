import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { contentDigest, digestOf, inputDigest, readJson, type Store } from '../../cache/store.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { InputFile } from '../../document/document.js'
import { displayPath } from '../../document/file.js'
import { isArray, isObject } from '../../document/json.js'
import { real } from '../../load/references.js'
import { isRemote } from '../../load/remote.js'

/**
 * The result of generating a document. It shows whether anything has changed since, without reading the
 * document again.
 */
export interface RunRecord {
  readonly title: string
  readonly version: string
  readonly basePath: string
  readonly rpcPath: string
  readonly operations: number
  /** Warnings. A document with errors gets no record. */
  readonly diagnostics: readonly Diagnostic[]
  /** The reference's pages, sorted. */
  readonly pages: readonly string[]
  /** What the outputs depend on, besides the document. */
  readonly surroundings: string
  /** Paths within the version's folder with the SHA-256 of their texts. */
  readonly outputs: readonly (readonly [path: string, sha256: string])[]
}

interface StoredRecord extends RunRecord {
  readonly inputs: readonly { readonly path: string; readonly sha256: string }[]
  /** Symbolic links on the way to the files: absolute or relative to the store's folder, and their targets. */
  readonly links: readonly (readonly [written: string, resolved: string])[]
}

export interface FoundRecord {
  readonly record: RunRecord
  readonly files: readonly InputFile[]
  /** The result of {@link documentIdentity}. */
  readonly identity: string
}

/** Digest of all files that a document was read from. */
export function documentIdentity(files: readonly InputFile[]): string {
  return identityOf(files.map((file) => ({ path: file.path, sha256: inputDigest(file) })))
}

function identityOf(inputs: StoredRecord['inputs']): string {
  return digestOf(...inputs.flatMap(({ path, sha256 }) => [path, sha256]))
}

/** The records of the documents of a folder. */
export class Records {
  readonly #store: Store
  readonly #cwd: string
  readonly #fingerprint: string

  /** @param fingerprint what else the output depends on */
  constructor(store: Store, cwd: string, fingerprint: string) {
    this.#store = store
    this.#cwd = cwd
    this.#fingerprint = fingerprint
  }

  /** The record of a document with its files' texts. Undefined if any of them has changed. */
  find(file: string): FoundRecord | undefined {
    const record = readJson(this.#store, this.#name(file))
    if (!isRecord(record)) return undefined
    const at = (path: string) => resolve(this.#store.home, path)
    if (record.links.some(([written, resolved]) => real(at(written)) !== at(resolved))) return undefined
    const files: InputFile[] = []
    for (const { path, sha256 } of record.inputs) {
      const bytes = bytesOf(resolve(real(this.#cwd), path))
      if (bytes === undefined || contentDigest(bytes) !== sha256) return undefined
      files.push({ path, text: bytes.toString() })
    }
    return { record, files, identity: identityOf(record.inputs) }
  }

  /**
   * Stores a record. Skips documents with remote files: only fetching could show whether those have changed.
   *
   * @param outputs `files`: texts by path within the version's folder; `digests`: SHA-256 of texts that are
   * already hashed
   */
  keep(
    file: string,
    record: Omit<RunRecord, 'outputs'>,
    read: { readonly files: readonly InputFile[]; readonly links: ReadonlyMap<string, string> },
    outputs: { readonly files: ReadonlyMap<string, string>; readonly digests: ReadonlyMap<string, string> },
  ): void {
    if (read.files.some(({ path }) => isRemote(path))) return
    const relative = (path: string) => displayPath(path, this.#store.home)
    const stored: StoredRecord = {
      ...record,
      outputs: Array.from(outputs.files, ([path, text]) => [
        path,
        outputs.digests.get(path) ?? contentDigest(text),
      ]),
      inputs: read.files.map((file) => ({ path: file.path, sha256: inputDigest(file) })),
      links: Array.from(read.links, ([written, resolved]) => [relative(written), relative(resolved)]),
    }
    this.#store.write(this.#name(file), JSON.stringify(stored))
  }

  #name(file: string): string {
    return `record-${digestOf(this.#fingerprint, displayPath(this.#cwd, this.#store.home), file)}`
  }
}

function bytesOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

/** The store writes whole texts, so a value with these members has the others too. */
function isRecord(value: unknown): value is StoredRecord {
  return isObject(value) && [value.inputs, value.links, value.outputs, value.diagnostics].every(isArray)
}
