import type { JsonObject } from '../document/document.js'
import { own } from '../document/json.js'
import { matchingText } from './pattern.js'
import type { Random } from './random.js'

/**
 * A text with a schema's pattern, format and length, as far as one is found.
 *
 * @param level how often texts at this position were refused
 */
export function sampleText(schema: JsonObject, level: number, random: Random): string {
  const least = Math.min(size(own(schema, 'minLength'), 0), longest)
  const most = size(own(schema, 'maxLength'), longest)
  const pattern = own(schema, 'pattern')
  if (typeof pattern === 'string' && level % 3 !== 2) {
    const found = matchingText(pattern, { least, most }, random)
    if (found !== undefined) return found
  }
  // The OpenAPI 3.0 format byte equals a JSON Schema content encoding.
  const format = own(schema, 'contentEncoding') === 'base64' ? 'byte' : own(schema, 'format')
  const write = typeof format === 'string' ? formats.get(format) : undefined
  if (write === undefined) return words(least, most, random)
  const text = write(random, level % 2 === 1)
  return text.length < least ? padded(text, String(format), least) : text
}

/** Maximum characters of a text. A schema that requires more gets an invalid one. */
const longest = 100_000

function size(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}

const vocabulary = 'amber birch cedar delta ember fjord grove harbor island juniper lagoon meadow'.split(' ')

function words(least: number, most: number, random: Random): string {
  let text = random.pick(vocabulary) ?? ''
  while (text.length < least) text += ` ${random.pick(vocabulary)}`
  if (text.length <= most) return text
  return text.slice(0, most).replace(/ $/, 'x')
}

/** Texts of a format. The short ones are for schemas with a `maxLength`. */
const formats = new Map<string, (random: Random, short: boolean) => string>([
  ['date-time', (random) => `${date(random)}T${time(random)}Z`],
  ['date', date],
  ['time', (random) => `${time(random)}Z`],
  ['iso-time', time],
  ['iso-date-time', (random) => `${date(random)}T${time(random)}Z`],
  ['duration', (random) => `P${random.integer(1, 28)}D`],
  ['email', (random, short) => (short ? 'a@b.co' : `${word(random)}@example.com`)],
  ['idn-email', (random, short) => (short ? 'a@b.co' : `${word(random)}@example.com`)],
  ['hostname', (random, short) => (short ? 'a.co' : `${word(random)}.example.com`)],
  ['idn-hostname', (random, short) => (short ? 'a.co' : `${word(random)}.example.com`)],
  ['ipv4', (random) => `192.0.2.${random.integer(1, 254)}`],
  ['ipv6', (random) => `2001:db8::${random.integer(1, 0xffff).toString(16)}`],
  ['uri', uri],
  ['iri', uri],
  ['url', uri],
  ['uri-reference', (random) => `/${word(random)}`],
  ['iri-reference', (random) => `/${word(random)}`],
  ['uri-template', (random) => `/${word(random)}/{id}`],
  ['uuid', uuid],
  ['json-pointer', (random) => `/${word(random)}`],
  ['json-pointer-uri-fragment', (random) => `#/${word(random)}`],
  ['relative-json-pointer', (random) => `${random.integer(0, 3)}/${word(random)}`],
  ['regex', (random) => `^${word(random)}$`],
  ['byte', (random) => Buffer.from(word(random)).toString('base64')],
])

function word(random: Random): string {
  return random.pick(vocabulary) ?? ''
}

function uri(random: Random, short: boolean): string {
  return short ? 'a://b' : `https://example.com/${word(random)}`
}

function date(random: Random): string {
  return `${random.integer(2020, 2029)}-${two(random.integer(1, 12))}-${two(random.integer(1, 28))}`
}

function time(random: Random): string {
  return [random.integer(0, 23), random.integer(0, 59), random.integer(0, 59)].map(two).join(':')
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

/** Version 4 (RFC 9562, section 5.4). */
function uuid(random: Random): string {
  const digits = (length: number): string => random.text('0123456789abcdef', length)
  return `${digits(8)}-${digits(4)}-4${digits(3)}-${random.pick(['8', '9', 'a', 'b'])}${digits(3)}-${digits(12)}`
}

/** Lengthens a text if its format allows it. */
function padded(text: string, format: string, least: number): string {
  const missing = least - text.length
  if (format === 'byte') return 'AAAA'.repeat(Math.ceil(missing / 4)) + text
  if (format === 'email' || format === 'idn-email') return 'x'.repeat(missing) + text
  return /^(uri|iri|url|uri-reference|iri-reference|json-pointer|regex)$/.test(format)
    ? text + 'x'.repeat(missing)
    : text
}
