import type { Json } from '../../document/document.js'

/**
 * The value of a plain scalar on one line in the core schema (YAML 1.2.2 section 10.3.2). Undefined if JSON
 * has no such value.
 */
export function plainValue(text: string): Json | undefined {
  // Nearly every scalar begins with a letter that only starts a text.
  if (!/^[-+.\dntfNTF~]/.test(text)) return text === '' ? undefined : text
  if (/^(?:~|null|Null|NULL)$/.test(text)) return null
  if (/^(?:true|True|TRUE)$/.test(text)) return true
  if (/^(?:false|False|FALSE)$/.test(text)) return false
  if (/^0o[0-7]+$|^0x[\da-f]+$|^[-+]?\.(?:inf|nan)$/i.test(text)) return undefined
  if (!/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(text)) return text
  // Numbers beyond the precision of a double are left to the package, which decides the rounding.
  const value = Number(text)
  return text.length <= 20 && Number.isFinite(value) ? value : undefined
}

/** The value of a quoted text. Undefined for an escape that JSON does not have. */
export function unquoted(written: string): string | undefined {
  const inner = written.slice(1, -1)
  const isDouble = written.startsWith('"')
  if (inner.includes('\n') && inner.includes('\t')) return undefined
  const text = inner.includes('\n') ? foldedQuoted(isDouble ? joined(inner) : inner) : inner
  if (!isDouble) return text.replaceAll("''", "'")
  if (!text.includes('\\')) return text
  try {
    return String(JSON.parse(`"${text.replaceAll('\n', '\\n')}"`))
  } catch {
    return undefined
  }
}

/** Removes line ends after a backslash, and the indentation that follows. */
function joined(inner: string): string {
  return inner.replaceAll(/(?<!\\)((?:\\\\)*)\\\n *(?!\n)/g, '$1')
}

function foldedQuoted(inner: string): string {
  const lines = inner.split('\n')
  const trimmed = lines.map((line, index) => {
    const start = index === 0 ? line : line.replace(/^ +/, '')
    return index === lines.length - 1 ? start : withoutBlanks(start)
  })
  return folded(trimmed)
}

/** Removes the blanks at the end. Other white space is content. */
export function withoutBlanks(text: string): string {
  let end = text.length
  while (text.charCodeAt(end - 1) === 0x20) end--
  return text.slice(0, end)
}

/** Joins lines: a single line end becomes a blank, each further one a newline (YAML 1.2.2 section 6.5). */
export function folded(lines: readonly string[]): string {
  let text = lines[0] ?? ''
  let empty = 0
  for (const [index, line] of lines.entries()) {
    if (index === 0) continue
    if (line === '' && index < lines.length - 1) empty++
    else {
      text += (empty === 0 ? ' ' : '\n'.repeat(empty)) + line
      empty = 0
    }
  }
  return text
}

/** The lines after a `>`, without their indentation. Lines with more indentation keep their ends (section 8.1.3). */
export function foldedBlock(lines: readonly string[]): string {
  let text = ''
  let empty = 0
  let isFirst = true
  let wasMore = false
  for (const line of lines) {
    if (line === '') {
      empty++
      continue
    }
    const isMore = line.startsWith(' ') || line.startsWith('\t')
    const ends = isMore || wasMore ? empty + 1 : empty
    if (isFirst) text = '\n'.repeat(empty)
    else text += ends === 0 ? ' ' : '\n'.repeat(ends)
    text += line
    isFirst = false
    wasMore = isMore
    empty = 0
  }
  return text
}
