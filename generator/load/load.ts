import { dirname, resolve } from 'node:path'
import { arrange, type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import type { Document, InputFile, Json, Position } from '../document/document.js'
import { displayPath, readText } from '../document/file.js'
import { isObject, type MutableObject, own } from '../document/json.js'
import { bundle } from './bundle.js'
import { writeOutGenerics } from './dynamic-references.js'
import { dropForeignErrors } from './foreign-errors.js'
import { readInfoTexts } from './info-text.js'
import { Origins } from './origins.js'
import { applyOverlay } from './overlay.js'
import { isInside, isShared, projectFolder, real } from './references.js'
import { isRemote, RemoteFiles } from './remote.js'
import type { Files } from './resolver.js'
import {
  missingOperations,
  type Reading,
  type Seen,
  select,
  selectionFaults,
  selectTools,
} from './selection.js'
import { parseSource, type Source } from './source.js'
import { convertSwagger, isSwagger } from './swagger.js'
import { modernise, upgrade } from './upgrade.js'

export interface Loaded {
  /** Absent if the entry file is not readable as OpenAPI 3. With errors it is present, but unfit for generating. */
  readonly document?: Document
  /** Sorted by position. Only errors of reading and references; lint finds the others. */
  readonly diagnostics: readonly Diagnostic[]
  /** Every file that was read, the entry file first. Diagnostics show their lines. */
  readonly files: readonly InputFile[]
  /** The symbolic links on the way: absolute paths as written, and their targets. */
  readonly links: ReadonlyMap<string, string>
}

/**
 * Reads a Swagger 2.0 or OpenAPI 3.0, 3.1 or 3.2 document (YAML 1.2, or JSON if the name ends in `.json`)
 * with all local files that it refers to, and converts it to 3.1. Never throws because of a file's content.
 *
 * @param file the entry file, relative to `cwd`
 * @param options `cwd`: the project's folder; paths in diagnostics are relative to it; default: the
 * process's. `remote`: whether to follow references over http and https; default: they are errors. `reading`:
 * which parts of the document count
 */
export function loadDocument(
  file: string,
  options: { readonly cwd?: string; readonly remote?: boolean; readonly reading?: Reading } = {},
): Loaded {
  const cwd = options.cwd ?? process.cwd()
  return new Loader(cwd, options.remote === true, options.reading ?? {}).load(resolve(cwd, file))
}

class Loader implements Files {
  readonly #cwd: string
  readonly #reading: Reading
  readonly #remote: RemoteFiles | undefined
  readonly #inputs: InputFile[] = []
  readonly #sources = new Map<string, ReturnType<Files['read']>>()
  readonly #diagnostics: Diagnostic[] = []
  readonly #links = new Map<string, string>()
  #folders: readonly string[] = []

  constructor(cwd: string, remote: boolean, reading: Reading) {
    this.#cwd = cwd
    this.#reading = reading
    this.#remote = remote ? new RemoteFiles() : undefined
  }

  load(file: string): Loaded {
    const path = displayPath(file, this.#cwd)
    const start = { file: path, line: 1, column: 1 }
    const read = readText(file)
    if ('reason' in read) {
      const { reason, ...more } = read
      return this.#loaded(path, diagnose('file-unreadable', `${path} cannot be read: ${reason}`, start, more))
    }
    this.linked(file, real(file))
    const entry = this.#parse(path, real(file), read.text)
    if (entry === undefined) return this.#loaded(path)
    this.#diagnostics.push(...readVersionNumber(entry))
    const origins = new Origins(entry)
    const { overlays = [] } = this.#reading
    for (const overlay of overlays) this.#overlay(overlay, entry, origins)
    if (isSwagger(entry.value)) this.#diagnostics.push(...convertSwagger(entry, origins))
    const wrong = versionError(entry.value, start, origins.locate('#/openapi'))
    if (wrong !== undefined) return this.#loaded(path, wrong)
    const working = isShared(this.#cwd) ? [] : [this.#cwd]
    this.#folders = [...working, dirname(file), ...projectFolder(dirname(file))]
    const root = entry.value as MutableObject
    this.#diagnostics.push(...missingOperations(root, origins.locate('#/paths')))
    // References from excluded parts are not followed. Parts in other files are known once they are read.
    const seen: Seen = { tags: new Set(), paths: new Set(), operationIds: new Set() }
    select(root, this.#reading, seen)
    this.#diagnostics.push(...bundle(entry, this, origins))
    if (this.#inputs.some(({ text }) => text.includes('$dynamicRef')))
      this.#diagnostics.push(...writeOutGenerics(root, origins))
    select(root, this.#reading, seen)
    selectTools(root, this.#reading)
    this.#diagnostics.push(...selectionFaults(root, this.#reading, seen, origins.locate('#/paths')))
    if (String(root.openapi).startsWith('3.0')) upgrade(root, origins)
    else modernise(root)
    const document = {
      file: path,
      files: this.#inputs,
      root,
      locate: (pointer: string) => origins.locate(pointer),
    }
    this.#diagnostics.push(...readInfoTexts(document), ...dropForeignErrors(document))
    return { document, ...this.#loaded(path) }
  }

  #overlay(name: string, entry: Source, origins: Origins): void {
    const file = resolve(this.#cwd, name)
    const path = displayPath(file, this.#cwd)
    const read = readText(file)
    if ('reason' in read) {
      const message = `The overlay ${path} cannot be read: ${read.reason}`
      this.#diagnostics.push(diagnose('file-unreadable', message, { file: path, line: 1, column: 1 }))
      return
    }
    const overlay = this.#parse(path, real(file), read.text)
    if (overlay !== undefined) this.#diagnostics.push(...applyOverlay(entry, overlay, origins))
  }

  linked(written: string, absolute: string): void {
    if (written !== absolute) this.#links.set(written, absolute)
  }

  read(absolute: string, reference: string): ReturnType<Files['read']> {
    if (this.#sources.has(absolute)) return this.#sources.get(absolute)
    const found = this.#readReferenced(absolute, reference)
    this.#sources.set(absolute, found)
    return found
  }

  #readReferenced(absolute: string, reference: string): ReturnType<Files['read']> {
    if (isRemote(absolute)) return this.#readRemote(absolute, reference)
    const path = displayPath(absolute, real(this.#cwd))
    if (!isInside(this.#folders, absolute)) {
      return { code: 'reference-outside', message: `${reference} leads out of the project, to ${path}` }
    }
    // Next to documents, a project has files with secrets, such as .npmrc.
    if (!/\.(?:json|ya?ml)$/i.test(absolute)) {
      const message = `${reference} leads to a file whose name does not end in .json, .yaml or .yml`
      return { code: 'reference-unsupported', message }
    }
    const read = readText(absolute)
    if ('reason' in read) {
      return {
        code: 'reference-file-missing',
        message: `${reference} cannot be read (${path}): ${read.reason}`,
      }
    }
    return this.#parse(path, absolute, read.text)
  }

  #readRemote(url: string, reference: string): ReturnType<Files['read']> {
    if (this.#remote === undefined)
      return { code: 'reference-remote', message: `${reference} is not a local file` }
    const read = this.#remote.read(url)
    if ('text' in read) return this.#parse(url, url, read.text)
    return { code: 'reference-file-missing', message: `${reference} cannot be read: ${read.reason}` }
  }

  #parse(path: string, absolute: string, text: string): Source | undefined {
    const { source, diagnostics } = parseSource(path, absolute, text)
    const isEntry = this.#inputs.length === 0
    const isHidden = !isEntry && !isObject(source?.value ?? null)
    this.#inputs.push({ path, text, ...(isHidden && { isHidden }) })
    this.#diagnostics.push(...diagnostics)
    return source
  }

  #loaded(entry: string, ...more: Diagnostic[]): Omit<Loaded, 'document'> {
    const [first, ...others] = this.#inputs
    others.sort((a, b) => (a.path < b.path ? -1 : 1))
    this.#inputs.splice(0, this.#inputs.length, ...(first === undefined ? [] : [first, ...others]))
    return {
      diagnostics: arrange([...this.#diagnostics, ...more], entry),
      files: this.#inputs,
      links: this.#links,
    }
  }
}

/** Turns a version that YAML reads as a number into text: `openapi: 3.1`. Changes the value in place. */
function readVersionNumber({ value, locate }: Source): Diagnostic[] {
  const version = isObject(value) ? own(value, 'openapi') : undefined
  const text = typeof version === 'number' ? versionNumbers.get(version) : undefined
  if (text === undefined) return []
  const root = value as MutableObject
  root.openapi = text
  const message = `openapi must be text; it is a number, and read as '${text}'`
  const more = { remedy: `Put it in quotes: '${text}'.`, pointer: '#/openapi' }
  return [diagnose('text-unquoted', message, locate(['openapi']), more)]
}

const versionNumbers: ReadonlyMap<number, string> = new Map([
  [3, '3.0.0'],
  [3.1, '3.1.0'],
  [3.2, '3.2.0'],
])

function versionError(value: Json, start: Position, at: Position): Diagnostic | undefined {
  if (!isObject(value)) return diagnose('not-openapi', 'The document is not an object', start)
  const version = own(value, 'openapi')
  if (version === undefined) return diagnose('not-openapi', 'The document has no field openapi', start)
  if (typeof version === 'string' && /^3\.[012](\.\d+(-.+)?)?$/.test(version)) return undefined
  return diagnose(
    'openapi-version',
    typeof version === 'number'
      ? `The OpenAPI version ${version} is a number`
      : `OpenAPI ${JSON.stringify(version)} is not supported`,
    at,
  )
}
