import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import type { Json } from '../document/document.js'
import { isArray, isObject, own, quoted } from '../document/json.js'
import type { Source } from './source.js'

/** The methods that Swagger 2.0 knows. */
export const verbs = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch']

/**
 * The lists of a Swagger 2.0 document whose `collectionFormat` has no style in OpenAPI 3, so that commas separate them.
 */
export function listFaults(source: Source): Diagnostic[] {
  const faults: Diagnostic[] = []
  const check = (parameter: Json | undefined, at: readonly string[], where: string): void => {
    const { name, format } = listOf(parameter)
    if (name === undefined || format === undefined || !isObject(parameter ?? null)) return
    const message = `The list ${quoted(name)}${where} has the collectionFormat ${format}, and OpenAPI 3 has no style for it there; it is read with commas`
    faults.push(diagnose('list-separator', message, source.locate([...at, 'collectionFormat'])))
  }
  const all = (list: Json | undefined, at: readonly string[], where: string): void => {
    for (const [index, one] of (isArray(list) ? list : []).entries())
      check(one, [...at, String(index)], where)
  }
  const root = isObject(source.value) ? source.value : {}
  for (const [name, one] of entriesIn(root.parameters)) check(one, ['parameters', name], '')
  for (const [path, item] of entriesIn(root.paths)) {
    if (!isObject(item)) continue
    all(own(item, 'parameters'), ['paths', path, 'parameters'], ` of ${path}`)
    for (const verb of verbs) {
      const operation = own(item, verb)
      const where = ` of ${verb.toUpperCase()} ${path}`
      if (isObject(operation)) all(own(operation, 'parameters'), ['paths', path, verb, 'parameters'], where)
    }
  }
  return faults
}

/** The name of a list, and its format if it has no equivalent. */
function listOf(parameter: Json | undefined): { readonly name?: string; readonly format?: string } {
  if (!isObject(parameter ?? null)) return {}
  const { name, type, in: place, collectionFormat: format } = parameter as { readonly [key: string]: Json }
  if (typeof name !== 'string' || typeof format !== 'string' || type !== 'array') return {}
  const isCarried = place === 'query' || place === 'formData'
  const known = isCarried ? ['csv', 'multi', 'ssv', 'pipes'] : ['csv']
  return known.includes(format) ? {} : { name, format }
}

function entriesIn(value: Json | undefined): [string, Json][] {
  return isObject(value ?? null) ? Object.entries(value as { readonly [key: string]: Json }) : []
}
