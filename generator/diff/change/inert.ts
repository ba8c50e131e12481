import type { Json } from '../../document/document.js'

/** JSON in which characters that control a terminal are escaped. */
export function inertJson(value: Json | object, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replaceAll(unprintable, (found) =>
    found === '\n'
      ? found
      : found
          .split('')
          .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
          .join(''),
  )
}

const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * Text from a document on one line, without the characters that terminals, browsers and editors obey instead of
 * showing.
 */
export function inert(text: string): string {
  return text.replaceAll(unprintable, '\ufffd')
}
