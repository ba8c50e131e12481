import type { JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { closest } from '../document/spelling.js'
import type { Reading, Selection, ToolSelection } from '../load/selection.js'
import { isStrategy, type Strategy, strategies } from '../model/naming/naming.js'
import { type Int64, int64Types } from '../schema/int64.js'
import type { Emitter } from './emitter.js'
import { UsageError } from './usage-error.js'

/** The settings of a config file, checked. Paths are still relative to that file. */
export interface Settings {
  readonly package: string
  readonly specs: readonly string[] | undefined
  readonly out: string | undefined
  readonly emitters: readonly EmitterSetting[]
  readonly templates: string | undefined
  /** Whether every version gets its reference. */
  readonly reference: boolean
  /** File of the waivers for reviews. */
  readonly waivers: string | undefined
  /** The days on which versions end, by version: `2027-06-30`. */
  readonly sunsets: Readonly<Record<string, string>> | undefined
  /** Folder of the adapters between versions. */
  readonly adapters: string | undefined
  /** The baseline of linting: a version source, `previous`, or one for each named document. */
  readonly baseline: string | Readonly<Record<string, string>> | undefined
  /** The naming strategy of all versions, or of each version. */
  readonly naming: Strategy | Readonly<Record<string, Strategy>> | undefined
  /** Which parts of the documents count, and which overlays apply. */
  readonly reading: Reading
  /** Whether to generate only clients. Faults that only matter to a service are no errors then. */
  readonly clientOnly: boolean
  /** The TypeScript type of int64 and uint64 integers. */
  readonly int64: Int64
}

export interface EmitterSetting {
  /** Name of the setting in messages: `emitters[0]`. */
  readonly setting: string
  readonly use: string | Emitter
  readonly options: JsonObject
}

/** Names of all settings; `duet.config.schema.json` has the same. */
export const settingNames = [
  '$schema',
  'package',
  'specs',
  'out',
  'emitters',
  'templates',
  'reference',
  'waivers',
  'sunsets',
  'adapters',
  'baseline',
  'naming',
  'include',
  'exclude',
  'mcp',
  'overlays',
  'only',
  'int64',
] as const

/**
 * Checks the content of a config file.
 *
 * @param file the config file's name, for messages
 * @param suggestion the package name that messages suggest
 * @throws UsageError one line that names the setting
 */
export function readSettings(value: unknown, file: string, suggestion = '@your-scope/api'): Settings {
  const example = `Write: { "package": "${suggestion}" }`
  if (!isObject(value)) {
    const noun = file.endsWith('.json') ? 'a JSON object' : 'an object of settings'
    throw new UsageError(`${file} is not ${noun}. ${example}`)
  }
  for (const name of Object.keys(value)) {
    if (settingNames.some((known) => known === name)) continue
    const similar = closest(name, settingNames)
    const all = `The settings are ${settingNames.slice(1).join(', ')}.`
    const hint = similar === undefined ? all : `Did you mean ${similar}?`
    throw new UsageError(`${file} has an unknown setting ${JSON.stringify(name)}. ${hint}`)
  }
  return {
    package: packageName(own(value, 'package'), file, example),
    specs: specs(own(value, 'specs'), file),
    out: text(own(value, 'out'), 'out', 'a folder', file),
    emitters: emitters(own(value, 'emitters'), file),
    templates: text(own(value, 'templates'), 'templates', 'a folder', file),
    reference: flag(own(value, 'reference'), 'reference', file),
    waivers: text(own(value, 'waivers'), 'waivers', 'a file', file),
    sunsets: sunsets(own(value, 'sunsets'), file),
    adapters: text(own(value, 'adapters'), 'adapters', 'a folder', file),
    baseline: baseline(own(value, 'baseline'), file),
    naming: naming(own(value, 'naming'), file),
    reading: {
      overlays: texts(own(value, 'overlays'), 'overlays', 'a file', file),
      include: selection(own(value, 'include'), 'include', file),
      exclude: selection(own(value, 'exclude'), 'exclude', file),
      mcp: toolSelection(own(value, 'mcp'), file),
    },
    clientOnly: clientOnly(own(value, 'only'), file),
    int64: int64(own(value, 'int64'), file),
  }
}

/** Whether a value is an emitter. It may come from any module. */
export function isEmitter(value: unknown): value is Emitter {
  if (typeof value !== 'object' || value === null) return false
  const { name, emit }: Partial<Record<keyof Emitter, unknown>> = value
  return typeof name === 'string' && name !== '' && typeof emit === 'function'
}

function packageName(value: unknown, file: string, example: string): string {
  if (typeof value === 'string' && isPackageName(value)) return value
  if (value === undefined) throw new UsageError(`${file} has no package. ${example}`)
  throw new UsageError(`package in ${file} is not an npm package name. ${example}`)
}

/** npm name of the generated package in a project: `shop-api` of `shop`, `@acme/shop-api` of `@acme/shop`. */
export function apiPackage(name: string): string {
  return `${name}-api`
}

/** npm's rules for new packages: small letters, digits and -._, at most 214 characters, perhaps a scope. */
export function isPackageName(name: string): boolean {
  return name.length <= 214 && /^(@[a-z0-9][a-z0-9-._]*\/)?[a-z0-9][a-z0-9-._]*$/.test(name)
}

function specs(value: unknown, file: string): string[] | undefined {
  if (value === undefined) return undefined
  if (!isArray(value) || value.length === 0) {
    throw new UsageError(`specs in ${file} is not a list of files or folders. Write: ["spec"]`)
  }
  return value.map((item, index) => required(item, `specs[${index}]`, 'a file or folder', file))
}

function emitters(value: unknown, file: string): EmitterSetting[] {
  if (value === undefined) return []
  if (!isArray(value)) {
    throw new UsageError(`emitters in ${file} is not a list. Write: ["./my-emitter.mjs"]`)
  }
  return value.map((item: unknown, index) => {
    const setting = `emitters[${index}]`
    if (isEmitter(item)) return { setting, use: item, options: {} }
    if (!isObject(item)) {
      return { setting, use: required(item, setting, 'a path or the name of a package', file), options: {} }
    }
    const unknown = Object.keys(item).find((key) => key !== 'use' && key !== 'options')
    if (unknown !== undefined) {
      throw new UsageError(
        `${setting} in ${file} has an unknown member ${JSON.stringify(unknown)}. Write: { "use": "./my-emitter.mjs", "options": {} }`,
      )
    }
    const use = required(own(item, 'use'), `${setting}.use`, 'a path or the name of a package', file)
    const options = own(item, 'options') ?? {}
    if (isObject(options)) return { setting, use, options }
    throw new UsageError(`${setting}.options in ${file} is not an object.`)
  })
}

function baseline(value: unknown, file: string): Settings['baseline'] {
  if (!isObject(value)) return text(value, 'baseline', baselineNoun, file)
  const entries = Object.entries(value).map(
    ([spec, one]) => [spec, required(one, `baseline[${JSON.stringify(spec)}]`, baselineNoun, file)] as const,
  )
  return Object.fromEntries(entries)
}

function sunsets(value: unknown, file: string): Settings['sunsets'] {
  if (value === undefined) return undefined
  if (!isObject(value))
    throw new UsageError(`sunsets in ${file} is not an object. Write: { "1.0.0": "2027-06-30" }`)
  const noun = 'a day such as 2027-06-30'
  const entries = Object.entries(value).map(([version, day]) => {
    const setting = `sunsets[${JSON.stringify(version)}]`
    const text = required(day, setting, noun, file)
    if (/^\d{4}-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.startsWith(text))
      return [version, text] as const
    throw new UsageError(`${setting} in ${file} must be ${noun}.`)
  })
  return Object.fromEntries(entries)
}

function naming(value: unknown, file: string): Settings['naming'] {
  if (!isObject(value)) return value === undefined ? undefined : strategy(value, 'naming', file)
  const entries = Object.entries(value).map(
    ([version, one]) => [version, strategy(one, `naming[${JSON.stringify(version)}]`, file)] as const,
  )
  return Object.fromEntries(entries)
}

function strategy(value: unknown, setting: string, file: string): Strategy {
  if (isStrategy(value)) return value
  throw new UsageError(`${setting} in ${file} must be one of ${strategies.join(', ')}.`)
}

function toolSelection(value: unknown, file: string): ToolSelection | undefined {
  if (!isObject(value)) return selection(value, 'mcp', file)
  const { maxBytes, ...others } = value
  if (
    maxBytes !== undefined &&
    !(typeof maxBytes === 'number' && Number.isSafeInteger(maxBytes) && maxBytes > 0)
  )
    throw new UsageError(`mcp.maxBytes in ${file} must be a whole number from 1.`)
  const isLimit = Object.keys(others).length === 0 && maxBytes !== undefined
  const selected = isLimit ? {} : selection(others, 'mcp', file)
  return { ...selected, ...(maxBytes !== undefined && { maxBytes }) }
}

function selection(value: unknown, setting: string, file: string): Selection | undefined {
  if (value === undefined) return undefined
  const names = ['tags', 'paths', 'operationIds'] as const
  const known = isObject(value) ? Object.keys(value) : []
  if (!isObject(value) || known.length === 0 || !known.every((key) => names.some((name) => name === key)))
    throw new UsageError(
      `${setting} in ${file} is not an object of ${names.join(', ')}. Write: { "tags": ["orders"] }`,
    )
  const [tags, paths, operationIds] = names.map((name) =>
    texts(own(value, name), `${setting}.${name}`, 'a text', file),
  )
  return { tags, paths, operationIds }
}

function texts(value: unknown, setting: string, noun: string, file: string): string[] | undefined {
  if (value === undefined) return undefined
  if (!isArray(value)) throw new UsageError(`${setting} in ${file} is not a list.`)
  return value.map((item, index) => required(item, `${setting}[${index}]`, noun, file))
}

function clientOnly(value: unknown, file: string): boolean {
  if (value === undefined) return false
  if (isArray(value) && value.length === 1 && value[0] === 'client') return true
  throw new UsageError(`only in ${file} must be ["client"].`)
}

function int64(value: unknown, file: string): Int64 {
  const known = int64Types.find((type) => type === (value ?? 'number'))
  if (known !== undefined) return known
  throw new UsageError(`int64 in ${file} must be one of ${int64Types.join(', ')}.`)
}

const baselineNoun = 'a version under spec/, a file, git:REV:PATH, or previous'

function text(value: unknown, setting: string, noun: string, file: string): string | undefined {
  return value === undefined ? undefined : required(value, setting, noun, file)
}

function flag(value: unknown, setting: string, file: string): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? true
  throw new UsageError(`${setting} in ${file} must be true or false.`)
}

function required(value: unknown, setting: string, noun: string, file: string): string {
  if (typeof value === 'string' && value.trim() !== '' && !value.includes('\0')) return value
  throw new UsageError(`${setting} in ${file} must be ${noun}.`)
}
