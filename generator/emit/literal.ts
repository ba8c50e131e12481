import { type Code, raw } from './code.js'

/** Widest line that the emitters write where they have a choice. */
export const lineWidth = 110

/**
 * A JSON value, or an object of such, as a TypeScript expression: on one line where it fits into `width`,
 * else on many.
 */
export function literal(value: unknown, width = lineWidth): Code {
  return raw(valueText(value, width))
}

/** A string as a literal, in single quotes unless that takes more escapes; safe inside a script element and in every line-splitting reader. */
export function stringText(text: string): string {
  const escaped = text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is escaped here
    /[\\'\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    escapeCharacter,
  )
  const safe = escaped.replace(/<(?=\/script|!--)/gi, '\\x3c')
  return text.includes("'") && !text.includes('"') ? `"${safe.replaceAll("\\'", "'")}"` : `'${safe}'`
}

/** A property key: bare where it is a name, quoted otherwise; `__proto__` would set a prototype if not computed. */
export function keyText(key: string): string {
  if (key === '__proto__') return "['__proto__']"
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(key) ? key : stringText(key)
}

export function key(name: string): Code {
  return raw(keyText(name))
}

export function commentText(paragraphs: readonly (string | undefined)[]): string {
  const lines = paragraphs
    .filter((paragraph) => paragraph !== undefined && paragraph.trim() !== '')
    .flatMap((paragraph) => harmless(paragraph ?? '').split('\n'))
  if (lines.length === 0) return ''
  const [only] = lines
  if (lines.length === 1 && only !== undefined && only.length <= lineWidth - 8) return `/** ${only} */`
  return ['/**', ...lines.map((line) => (line === '' ? ' *' : ` * ${line}`)), ' */'].join('\n')
}

/** Text for one line of a `//` comment. */
export function lineCommentText(text: string): string {
  return `// ${harmless(text).replace(/\n/g, ' ')}`
}

function harmless(text: string): string {
  return (
    text
      .trim()
      .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out here
      .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\ufeff]/g, ' ')
      .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
      .replace(/\*\//g, '*\\/')
      .replace(/<(?=\/script|!--)/gi, '< ')
      .replace(/[ \t]+$/gm, '')
  )
}

function valueText(value: unknown, width: number): string {
  if (typeof value === 'string') return stringText(value)
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null'
  if (typeof value !== 'object' || value === null) return typeof value === 'boolean' ? String(value) : 'null'
  const list = Array.isArray(value)
  const items = list
    ? value.map((item: unknown) => valueText(item, width - 2))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([name, item]) => `${keyText(name)}: ${valueText(item, width - 2 - name.length)}`)
  if (items.length === 0) return list ? '[]' : '{}'
  const flat = list ? `[${items.join(', ')}]` : `{ ${items.join(', ')} }`
  if (!flat.includes('\n') && flat.length < width) return flat
  const [open, close] = list ? ['[', ']'] : ['{', '}']
  return `${open}\n${items.map((item) => `  ${indented(item)},`).join('\n')}\n${close}`
}

/** Text whose lines after the first stand two columns further in. */
export function indented(text: string): string {
  return text.replace(/\n/g, '\n  ')
}

function escapeCharacter(character: string): string {
  const short = shortEscapes.get(character)
  if (short !== undefined) return short
  const unit = character.charCodeAt(0)
  return unit < 0x100
    ? `\\x${unit.toString(16).padStart(2, '0')}`
    : `\\u${unit.toString(16).padStart(4, '0')}`
}

const shortEscapes = new Map([
  ['\\', '\\\\'],
  ["'", "\\'"],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])
