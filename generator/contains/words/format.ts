import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { Language, LanguageMaker } from './language.js'

/** What is known of a string format: it accepts everything in `under`, and nothing outside of `over`. */
export interface FormatDefinition {
  readonly accepts: (word: string) => boolean
  readonly under: (languages: LanguageMaker) => Language
  readonly over: (languages: LanguageMaker) => Language
  readonly samples: readonly string[]
}

/** The format as ajv-formats checks it. Undefined if it checks no strings by that name. */
export function formatDefinition(name: string): FormatDefinition | undefined {
  const known = definitions.get(name)
  if (known !== undefined) return known
  const accepts = acceptance(name)
  if (accepts === undefined) return undefined
  const definition = { accepts, samples: samples[name] ?? [], ...bounds(name) }
  definitions.set(name, definition)
  return definition
}

/** A format that limits numbers: its minimum and maximum, or only integers. */
export function numberFormat(name: string): { integer: boolean; min?: number; max?: number } | undefined {
  if (name === 'int32') return { integer: true, min: -(2 ** 31), max: 2 ** 31 - 1 }
  return name === 'int64' ? { integer: true } : undefined
}

/** Whether AJV checks a format of that name. */
export function isAsserted(name: string): boolean {
  return formatDefinition(name) !== undefined || numberFormat(name) !== undefined
}

const definitions = new Map<string, FormatDefinition>()

function acceptance(name: string): ((word: string) => boolean) | undefined {
  if (!Object.hasOwn(fullFormats, name)) return undefined
  const format: unknown = Reflect.get(fullFormats, name)
  if (format instanceof RegExp) return (word) => format.test(word)
  if (typeof format === 'function') return (word) => format(word) === true
  if (typeof format !== 'object' || format === null) return undefined
  const { validate, type }: { validate?: unknown; type?: unknown } = format
  if (type === 'number') return undefined
  if (validate instanceof RegExp) return (word) => validate.test(word)
  return typeof validate === 'function' ? (word) => validate(word) === true : undefined
}

function bounds(name: string): Pick<FormatDefinition, 'under' | 'over'> {
  const exact = exactly(name)
  if (exact !== undefined) return { under: exact, over: exact }
  const approximate = Object.hasOwn(approximations, name) ? approximations[name] : undefined
  if (approximate === undefined) return { under: (l) => l.none, over: (l) => l.any }
  return {
    under: (l) => l.pattern(approximate.under),
    over: (l) => l.pattern(approximate.over),
  }
}

/** Formats that regular languages define completely. */
function exactly(name: string): ((languages: LanguageMaker) => Language) | undefined {
  if (name === 'duration') return (l) => l.and([l.pattern(duration), l.pattern('^P[^]')])
  if (name === 'hostname')
    return (l) =>
      l.and([l.pattern(hostname), l.or([l.length(1, 253), l.and([l.length(254, 254), l.pattern('\\.$')])])])
  if (name === 'uri') return (l) => l.pattern(uri(), 'i')
  if (name === 'date') return (l) => l.pattern(`^${date}$`)
  if (name === 'byte') return (l) => l.pattern(byte)
  if (!plain.has(name)) return undefined
  return (l) => l.pattern(sourceOf(name), 'i')
}

/** Regular expressions of ajv-formats without lookaround. Without the flag i, they must contain both cases. */
const plain = new Set([
  'uri-reference',
  'uri-template',
  'email',
  'ipv4',
  'ipv6',
  'uuid',
  'json-pointer',
  'json-pointer-uri-fragment',
  'relative-json-pointer',
])

function sourceOf(name: string): string {
  const format: unknown = Reflect.get(fullFormats, name)
  return format instanceof RegExp ? format.source : '[]'
}

/**
 * ajv-formats does not export this one. It equals uri-reference with a required scheme and path, and without
 * quotes.
 */
function uri(): string {
  return sourceOf('uri-reference').replaceAll('"', '').replace(':)?', ':)').replace(')*)?(?:\\?', ')*)(?:\\?')
}

const duration =
  '^P(?:(?:\\d+Y)?(?:\\d+M)?(?:\\d+D)?(?:T(?:\\d+H(?:\\d+M)?(?:\\d+S)?|\\d+M(?:\\d+S)?|\\d+S))?|(?:\\d+W)?)$'
const hostname =
  '^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[-0-9a-zA-Z]{0,61}[0-9a-zA-Z])?)*\\.?$'
const leap = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)'
const date = `(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|${leap}-02-29)`
const byte =
  '(?:^|[\\n\\r\\u2028\\u2029])(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?(?:$|[\\n\\r\\u2028\\u2029])'

/** Leap seconds depend on the offset: `under` excludes them, `over` accepts them at any time. */
const offset = '(?:[zZ]|[+-](?:[01]\\d|2[0-3])(?::?[0-5]\\d)?)'
const clock = (seconds: string): string => `(?:[01]\\d|2[0-3]):[0-5]\\d:${seconds}(?:\\.\\d+)?`
const sure = clock('[0-5]\\d')
const loose = `\\d\\d:\\d\\d:(?:[0-5]\\d|60)(?:\\.\\d+)?`
const approximations: { readonly [name: string]: { under: string; over: string } } = {
  time: { under: `^${sure}${offset}$`, over: `^${loose}${offset}$` },
  'iso-time': { under: `^${sure}${offset}?$`, over: `^${loose}${offset}?$` },
  'date-time': { under: `^${date}[tT\\s]${sure}${offset}$`, over: `^${date}[tT\\s]${loose}${offset}$` },
  'iso-date-time': { under: `^${date}[tT\\s]${sure}${offset}?$`, over: `^${date}[tT\\s]${loose}${offset}?$` },
  url: { under: '^https?://(?:example|duet)\\.(?:com|org)(?:/[a-z]*)?$', over: '^[hHfF][^]*://[^]' },
  regex: { under: '^[a-z0-9 ]*$', over: '' },
}

const samples: { readonly [name: string]: readonly string[] } = {
  time: ['12:00:00Z', '23:59:60Z', '12:00:60Z', '08:30:06.283185+01:00'],
  'date-time': ['2020-01-01T00:00:00Z', '1998-12-31T23:59:60Z', '1998-12-31T22:59:60Z'],
  url: ['http://a.de', 'https://example.com/a?b=c', 'ftp://a.de', 'http://10.1.1.1'],
  regex: ['', 'a', '[', '(', '^a+$', '\\Z', '*', '(?<=a)', '\\'],
}
