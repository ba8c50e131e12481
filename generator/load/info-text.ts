import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import type { Document } from '../document/document.js'
import { isObject, type MutableObject, own, quoted } from '../document/json.js'
import { writtenText } from '../document/written.js'

/**
 * Turns numbers and booleans in `info` into text: YAML reads `version: 1.0` as the number 1. Uses the text of
 * the source. An empty version becomes 0.0.0, and other characters in a version become hyphens. Changes the
 * document in place. Each one is a warning.
 */
export function readInfoTexts(document: Document): Diagnostic[] {
  const info = own(document.root, 'info')
  if (!isObject(info)) return []
  const found = texts.flatMap((key) => {
    const value = own(info, key)
    if (typeof value !== 'number' && typeof value !== 'boolean') return []
    const pointer = `#/info/${key}`
    const text = writtenText(document, pointer, value)
    const kind = typeof value === 'number' ? 'a number' : 'true or false'
    const message = `${key} of info must be text; it is ${kind}, and read as '${text}'`
    Object.assign<MutableObject, MutableObject>(info as MutableObject, { [key]: text })
    const remedy = `Put it in quotes: '${text}'.`
    return [diagnose('text-unquoted', message, document.locate(pointer), { remedy, pointer })]
  })
  const version = own(info, 'version')
  const read = version === '' ? '0.0.0' : typeof version === 'string' ? respelled(version) : undefined
  if (read === undefined) return found
  Object.assign<MutableObject, MutableObject>(info as MutableObject, { version: read })
  const pointer = '#/info/version'
  const [code, fault] =
    version === ''
      ? ['version-empty' as const, 'is empty,']
      : ['version-respelled' as const, `is ${quoted(version)},`]
  const message = `info.version ${fault} and read as ${read}`
  return [...found, diagnose(code, message, document.locate(pointer), { pointer })]
}

/** Whether a version can name a folder as far as its characters decide. */
export function isPlainVersion(text: string): boolean {
  return /^[A-Za-z0-9]([A-Za-z0-9._+-]{0,98}[A-Za-z0-9_+-])?$/.test(text)
}

/** `v2.0 (beta)` as `v2.0-beta`. Undefined if it need not or must not be another. */
function respelled(version: string): string | undefined {
  if (isPlainVersion(version) || version.includes('..') || !/^[A-Za-z0-9]\P{C}*$/u.test(version))
    return undefined
  const plain = version.replace(/[^A-Za-z0-9._+]+/g, '-').slice(0, 100)
  return plain.replace(/[.-]+$/, '')
}

const texts = ['description', 'summary', 'title', 'version'] as const
