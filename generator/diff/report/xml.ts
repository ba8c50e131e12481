import { inert } from '../change/inert.js'

/** Attributes of an XML element, each after a space. */
export function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${xml(String(value)).replaceAll('\n', reference)}"`)
    .join('')
}

/**
 * Text for an XML 1.0 document, without forbidden characters (production 2) and characters that control a reader's
 * terminal.
 */
export function xml(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => inert(line).replace(/[\ufffe\uffff]/g, '\ufffd'))
  return lines.join('\n').replace(/[&<>"']/g, reference)
}

function reference(sign: string): string {
  return `&#${sign.codePointAt(0)};`
}
