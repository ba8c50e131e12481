import { builtInErrors } from 'duet-runtime/catalogue'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import type { Document, Json } from '../document/document.js'
import { walk } from '../document/grammar.js'
import { isArray, isObject, type MutableObject, own } from '../document/json.js'
import { formatPointer, segmentsOf } from '../document/pointer.js'

/**
 * Removes `x-errors` that belong to another tool: a catalogue in which no entry has a JSON-RPC code or the
 * HTTP status of a built-in code, and, without a catalogue of duet's, an operation's entry that is not a list of
 * codes. Changes the document in place. Each one is a warning.
 */
export function dropForeignErrors(document: Document): Diagnostic[] {
  if (!document.files.some(({ text }) => text.includes('x-errors'))) return []
  const catalogue = own(document.root, 'x-errors')
  if (catalogue !== undefined && !isForeign(catalogue)) return []
  const diagnostics: Diagnostic[] = []
  walk({ kind: 'document', value: document.root, path: undefined }, ({ kind, value, path }) => {
    if ((kind !== 'document' && kind !== 'operation') || !isObject(value)) return undefined
    const errors = own(value, 'x-errors')
    if (errors === undefined || (kind === 'operation' && isOwnList(errors))) return undefined
    const pointer = formatPointer([...segmentsOf(path), 'x-errors'])
    const where = kind === 'operation' ? `${path?.key.toUpperCase()} ${path?.parent?.key}` : 'the document'
    const message = `x-errors of ${where} has the format of another tool and is ignored`
    diagnostics.push(diagnose('errors-foreign', message, document.locate(pointer), { pointer }))
    delete (value as MutableObject)['x-errors']
    return undefined
  })
  return diagnostics
}

function isForeign(catalogue: Json): boolean {
  const entries = isObject(catalogue) ? Object.entries(catalogue) : []
  return !entries.some(
    ([code, entry]) =>
      isObject(entry) &&
      (Number.isInteger(own(entry, 'rpc')) ||
        (Object.hasOwn(builtInErrors, code) && Number.isInteger(own(entry, 'status')))),
  )
}

function isOwnList(errors: Json): boolean {
  return isArray(errors) && errors.every((code) => typeof code === 'string')
}
