import type { Code } from '../../diagnostics/catalogue.js'
import { arrange, type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import type { Json, JsonObject, Position } from '../../document/document.js'
import { isArray, isObject, own, quoted, typeName } from '../../document/json.js'
import { closest } from '../../document/spelling.js'
import { parseSource } from '../../load/source.js'
import type { UsageFloor } from './usage.js'
import { requiredFields, type WaiverEntry, type WaiverField, waiverFields } from './waiver.js'

/**
 * Reads a file of waivers: YAML 1.2, or JSON if its name ends in `.json`. An empty file has none. Never throws. If
 * there are diagnostics, there are no waivers.
 *
 * @param path as diagnostics show it
 */
export function readWaivers(
  path: string,
  text: string,
): { readonly waivers: readonly WaiverEntry[]; readonly diagnostics: readonly Diagnostic[] } {
  const { source, diagnostics } = parseSource(path, path, text)
  if (source === undefined) return { waivers: [], diagnostics: arrange(diagnostics, path) }
  const { value, locate } = source
  if (value === null) return { waivers: [], diagnostics: [] }
  if (!isArray(value)) {
    const message = `${path} holds ${typeName(value)} and no list of waivers`
    return { waivers: [], diagnostics: [diagnose('waivers-not-list', message, locate([]))] }
  }
  const entries = value.map((entry, index) => new Entry(entry, (...keys) => locate([`${index}`, ...keys])))
  const waivers = entries.flatMap((entry) => entry.waiver ?? [])
  const found = [...entries.flatMap((entry) => entry.diagnostics), ...duplicates(waivers)]
  return found.length > 0 ? { waivers: [], diagnostics: arrange(found, path) } : { waivers, diagnostics: [] }
}

/** One entry while it is being read. */
class Entry {
  readonly diagnostics: Diagnostic[] = []
  readonly waiver: WaiverEntry | undefined

  constructor(
    entry: Json,
    readonly locate: (...keys: readonly string[]) => Position,
  ) {
    if (isObject(entry)) this.waiver = this.#read(entry)
    else this.#report('waivers-not-list', `This entry is ${typeName(entry)} and no waiver`, locate())
  }

  #read(entry: JsonObject): WaiverEntry | undefined {
    for (const name of Object.keys(entry)) {
      if (waiverFields.some((known) => known === name)) continue
      const similar = closest(name, waiverFields)
      this.#report(
        'waiver-field-unknown',
        `A waiver has no field ${quoted(name)}`,
        this.locate(name),
        similar === undefined ? undefined : `Did you mean ${similar}?`,
      )
    }
    const [fingerprint, owner, reason, expires] = requiredFields.map((field) => this.#required(entry, field))
    const optional = (['id', 'from', 'to'] as const).flatMap((field) => {
      const value = own(entry, field)
      const text = value === undefined ? undefined : this.#text(field, value)
      return text === undefined ? [] : [[field, text] as const]
    })
    const operations = this.#operations(entry)
    const unused = this.#unused(entry)
    if (fingerprint === undefined || owner === undefined || reason === undefined || expires === undefined)
      return undefined
    const place = (field: WaiverField): Position => this.locate(field)
    const optionalFields = {
      ...Object.fromEntries(optional),
      ...(operations && { operations }),
      ...(unused && { unused }),
    }
    return { fingerprint, owner, reason, expires, ...optionalFields, at: this.locate(), fieldPosition: place }
  }

  /** One name, or a list of them. */
  #operations(entry: JsonObject): readonly string[] | undefined {
    const value = own(entry, 'operation')
    if (value === undefined) return undefined
    return (isArray(value) ? value : [value]).flatMap((name) => this.#text('operation', name) ?? [])
  }

  /** How much must have been watched without a call that shows the change. */
  #unused(entry: JsonObject): UsageFloor | undefined {
    const value = own(entry, 'unused')
    if (value === undefined) return undefined
    const { days, calls, ...others } = isObject(value) ? value : {}
    if (isCount(days) && isCount(calls) && Object.keys(others).length === 0) return { days, calls }
    const message = 'unused of the waiver is not two whole numbers, days and calls'
    this.#report('waiver-field-invalid', message, this.locate('unused'), remedies.unused)
    return undefined
  }

  #required(entry: JsonObject, field: (typeof requiredFields)[number]): string | undefined {
    const value = own(entry, field)
    if (value !== undefined && value !== null) return this.#text(field, value)
    const [what, at] = value === null ? ['is empty', this.locate(field)] : ['is missing', this.locate()]
    this.#report('waiver-field-missing', `${field} of the waiver ${what}`, at, remedies[field])
    return undefined
  }

  #text(field: WaiverField, value: Json): string | undefined {
    const message =
      typeof value !== 'string'
        ? `${field} of the waiver is ${typeName(value)}: ${quoted(value)}`
        : value.trim() === ''
          ? `${field} of the waiver is empty`
          : faults[field]?.(value)
    if (message === undefined) return String(value)
    const remedy = typeof value === 'number' ? 'Put it in quotes.' : remedies[field]
    this.#report('waiver-field-invalid', message, this.locate(field), remedy)
    return undefined
  }

  #report(code: Code, message: string, at: Position, remedy?: string | undefined): void {
    this.diagnostics.push(diagnose(code, message, at, remedy === undefined ? {} : { remedy }))
  }
}

const faults: { readonly [field in WaiverField]?: (text: string) => string | undefined } = {
  fingerprint: (text) =>
    /^[0-9a-f]{8,64}$/.test(text) ? undefined : `${quoted(text)} is not the fingerprint of a change`,
  expires: (text) => (isDay(text) ? undefined : `${quoted(text)} is not a day of the calendar`),
}

const remedies: { readonly [field in WaiverField]?: string } = {
  fingerprint: 'Copy the fingerprint that duet diff OLD NEW --format waivers prints.',
  owner: 'Name who accepts the change: owner: Ada Lovelace.',
  reason: 'Say why the change is accepted: reason: no caller sends more than 100.',
  expires: 'Write the last day on which the waiver holds: expires: 2027-01-31.',
  unused: 'Write for how long, and in how many calls, nobody may use it: unused: { days: 30, calls: 1000 }.',
}

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

function duplicates(waivers: readonly WaiverEntry[]): Diagnostic[] {
  const first = new Map<string, WaiverEntry>()
  return waivers.flatMap((waiver) => {
    const key = JSON.stringify([waiver.fingerprint, waiver.from, waiver.to])
    const earlier = first.get(key)
    if (earlier === undefined) {
      first.set(key, waiver)
      return []
    }
    const related = [{ message: 'The first one', at: earlier.fieldPosition('fingerprint') }]
    const message = `The change ${waiver.fingerprint} is waived twice for the same review`
    return [diagnose('waiver-duplicate', message, waiver.fieldPosition('fingerprint'), { related })]
  })
}
