import { inert } from '../change/inert.js'

/**
 * Text of a document as text in a GitHub comment: without markup, mentions, references to issues or commits, or links.
 * Where escaping does not help, a zero-width space breaks the pattern.
 */
export function markdownText(text: string): string {
  return inert(text)
    .replace(
      /@|(?:#|\bgh-)(?=\d)|:(?=\/\/)|\b(?:mailto|xmpp):|\bwww(?=\.)|\b[0-9a-f]{6}(?=[0-9a-f])/gi,
      `$&${breaker}`,
    )
    .replace(/[\\`*_{}[\]()#+!|~<>&$]/g, (mark) => entities[mark] ?? `\\${mark}`)
}

const breaker = '\u200b'

const entities: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' }

/** A name or path as code, where GitHub interprets nothing. */
export function markdownCode(text: string): string {
  const shown = inert(text)
  if (shown.trim() === '') return ''
  const fence = '`'.repeat(longestTicks(shown) + 1)
  const padding = /^`|`$/.test(shown) ? ' ' : ''
  return `${fence}${padding}${shown}${padding}${fence}`
}

/** Lines as they are. */
export function markdownFence(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestTicks(text) + 1))
  return `${fence}${language}\n${text}\n${fence}`
}

function longestTicks(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
}
