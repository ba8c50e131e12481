import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import type { Json } from '../document/document.js'
import { isObject } from '../document/json.js'
import { decodePercent, formatPointer, parseFragment, valueAt } from '../document/pointer.js'
import { closest } from '../document/spelling.js'
import { absoluteId, anchorsIn, identifiersOf, type Resource } from './identifiers.js'
import type { Origins } from './origins.js'
import { parseReference } from './references.js'
import type { Source } from './source.js'

/** Reads the files that references lead to. */
export interface Files {
  /** The parsed file, or the diagnostic for the reference. Undefined if the error is already reported. */
  readonly read: (
    absolute: string,
    reference: string,
  ) => Source | Pick<Diagnostic, 'code' | 'message'> | undefined
  /** Receives each reference through a symbolic link: the path of the link, and its target. */
  readonly linked?: (written: string, absolute: string) => void
}

/** The target of a reference. */
export interface ReferenceTarget {
  readonly source: Source
  readonly segments: readonly string[]
  readonly fragment: string
  readonly value: Json | undefined
}

/** Finds the targets of references, and reports errors. */
export class Resolver {
  readonly diagnostics: Diagnostic[] = []
  readonly #entry: Source
  readonly #files: Files
  /** Targets of references within the entry: a document may use a few thousand of them a hundred times each. */
  readonly #resolved = new Map<string, ReferenceTarget>()

  readonly #origins: Origins

  constructor(entry: Source, files: Files, origins: Origins) {
    this.#entry = entry
    this.#files = files
    this.#origins = origins
  }

  resolve(text: string, from: Source, at: string[], resource?: Resource): ReferenceTarget | undefined {
    const isPlain = from === this.#entry && resource === undefined && text.startsWith('#/')
    if (!isPlain) return this.#find(text, from, at, resource)
    const found = this.#resolved.get(text) ?? this.#find(text, from, at)
    if (found?.value !== undefined) this.#resolved.set(text, found)
    return found
  }

  #find(text: string, from: Source, at: string[], resource?: Resource): ReferenceTarget | undefined {
    const reference = parseReference(text, from)
    if (reference === 'unsupported')
      return this.report('reference-unsupported', `${text} is neither a file nor an http address`, from, at)
    if (reference.written !== reference.absolute) this.#files.linked?.(reference.written, reference.absolute)
    const identified = this.#identified(text, from, resource)
    if (identified !== undefined) return this.#found(from, identified)
    const source =
      reference.absolute === from.absolute || reference.absolute === from.self
        ? from
        : this.#read(reference.absolute, text, from, at)
    if (source === undefined) return undefined
    const pointer = parseFragment(reference.fragment)
    const within = source === from && resource !== undefined ? resource.segments : []
    if (pointer === undefined)
      return this.#anchored(decodePercent(reference.fragment), text, source, from, at, resource)
    const inner = valueAt(source.value, [...within, ...pointer])
    const isWithin = within.length > 0 && text.startsWith('#') && inner !== undefined
    if (isWithin) return this.#found(source, [...within, ...pointer])
    const segments = pointer
    const value = valueAt(source.value, segments)
    // A pointer into the entry may also lead through an inlined path item, so it is checked at the end.
    if (value === undefined && source !== this.#entry) {
      return this.reportMissing(text, source, segments, from, at)
    }
    return { source, segments, fragment: reference.fragment, value }
  }

  #found(source: Source, segments: readonly string[]): ReferenceTarget {
    const fragment = formatPointer(segments).slice(1)
    return { source, segments: [...segments], fragment, value: valueAt(source.value, segments) }
  }

  /** The path of the schema in the same file whose `$id` a reference names. */
  #identified(text: string, from: Source, resource: Resource | undefined): readonly string[] | undefined {
    const [address = '', fragment = ''] = text.split('#', 2)
    if (address === '') return undefined
    const identifiers = identifiersOf(from)
    const { ids } = identifiers
    const absolute = absoluteId(address, resource?.id ?? from.self ?? '')
    const id = ids.has(absolute) ? absolute : address
    const found = ids.get(id)
    if (found === undefined || fragment === '') return found
    if (fragment.startsWith('/')) return [...found, ...(parseFragment(fragment) ?? [])]
    const [anchored, ...others] = anchorsIn(identifiers, id, fragment)
    return others.length === 0 ? anchored : undefined
  }

  #anchored(
    name: string,
    text: string,
    source: Source,
    from: Source,
    at: string[],
    resource: Resource | undefined,
  ) {
    const id = source === from ? resource?.id : undefined
    const [found, ...others] = anchorsIn(identifiersOf(source), id ?? '', name, at)
    if (found !== undefined && others.length === 0) return this.#found(source, found)
    const why = `${source.path} has ${found === undefined ? 'none' : 'more than one'}`
    return this.report('reference-anchor', `${text} refers to the anchor ${name}, and ${why}`, from, at)
  }

  #read(absolute: string, text: string, from: Source, at: string[]): Source | undefined {
    if (absolute === this.#entry.absolute) return this.#entry
    const read = this.#files.read(absolute, text)
    if (read === undefined || 'value' in read) return read
    return this.report(read.code as Parameters<typeof diagnose>[0], read.message, from, at)
  }

  reportMissing(
    text: string,
    source: Source,
    segments: readonly string[],
    from: Source,
    at: readonly string[],
  ): undefined {
    const parent = valueAt(source.value, segments.slice(0, -1))
    const similar = isObject(parent) ? closest(segments.at(-1) ?? '', Object.keys(parent)) : undefined
    const remedy = similar && `Did you mean ${formatPointer([...segments.slice(0, -1), similar])}?`
    const message = `${text} leads nowhere: ${source.path} has no ${formatPointer(segments)}`
    const remover = source === this.#entry ? this.#origins.removerOf(segments) : undefined
    const related = remover && [
      { message: `${remover.source.path} removes it`, at: remover.source.locate(remover.segments) },
    ]
    return this.report('reference-missing', message, from, at, { remedy, related })
  }

  report(
    code: Parameters<typeof diagnose>[0],
    message: string,
    source: Source,
    at: readonly string[],
    {
      remedy,
      related = [],
    }: { readonly remedy?: string | undefined; readonly related?: Diagnostic['related'] | undefined } = {},
  ): undefined {
    const isEntry = source === this.#entry
    const origin = isEntry ? this.#origins.of(at) : { source, segments: at }
    const more = {
      // Parts of other files have no position in the result yet.
      ...(isEntry && { pointer: formatPointer(at) }),
      ...(remedy !== undefined && { remedy }),
      ...(related !== undefined && { related }),
    }
    this.diagnostics.push(diagnose(code, message, origin.source.locate(origin.segments), more))
    return undefined
  }
}
