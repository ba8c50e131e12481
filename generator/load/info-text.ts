import { diagnose } from '../diagnostics/catalogue.js'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { Document } from '../document/document.js'
import { isObject, type MutableObject, own } from '../document/json.js'
import { writtenText } from '../document/written.js'

/**
 * Turns numbers and booleans in `info` into text: YAML reads `version: 1.0` as the number 1. Uses the text of
 * the source. An empty version becomes 0.0.0. Changes the document in place. Each one is a warning.
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
  if (own(info, 'version') !== '') return found
  Object.assign<MutableObject, MutableObject>(info as MutableObject, { version: '0.0.0' })
  const pointer = '#/info/version'
  const message = 'info.version is empty, and read as 0.0.0'
  return [...found, diagnose('version-empty', message, document.locate(pointer), { pointer })]
}

const texts = ['description', 'summary', 'title', 'version'] as const
