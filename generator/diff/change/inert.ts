import type { Json } from '../../document/document.js'

/** JSON in which whatever steers a terminal is spelt out. */
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

/** Text of a document on one line, without what terminals, browsers and editors obey instead of showing it. */
export function inert(text: string): string {
  return text.replaceAll(unprintable, '\ufffd')
}
