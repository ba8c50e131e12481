import type { Json } from '../document/document.js'
import { isArray, isObject, type MutableObject, own } from '../document/json.js'
import { formatPointer, parseFragment, valueAt } from '../document/pointer.js'
import { valueKeywords } from '../document/vocabulary.js'
import type { Origins } from './origins.js'

/** Rewrites local references of a converted document to parts that moved. References into other files stay. */
export function moveReferences(root: Json, origins: Origins): void {
  let converted: ReadonlyMap<string, string> | undefined
  const moved = (reference: string): string => {
    const renamed = renamedSection(reference)
    const isFound = valueAt(root, parseFragment(renamed.slice(1)) ?? []) !== undefined
    // A list of parameters without its body has other indexes.
    if (isFound && !renamed.startsWith('#/paths/')) return renamed
    converted ??= convertedPointers(root, origins)
    return converted.get(formatPointer(parseFragment(reference.slice(1)) ?? [])) ?? renamed
  }
  eachReference(root, (holder, reference) => {
    if (reference.startsWith('#/')) holder.$ref = moved(reference)
  })
}

function eachReference(
  value: Json,
  visit: (holder: MutableObject, reference: string) => void,
  isMap = false,
): void {
  if (isArray(value)) for (const item of value) eachReference(item, visit)
  if (!isObject(value)) return
  const reference = own(value, '$ref')
  if (typeof reference === 'string') visit(value, reference)
  for (const [key, member] of Object.entries(value))
    if (isMap || !valueKeywords.has(key)) eachReference(member, visit, !isMap && maps.has(key))
}

function renamedSection(reference: string): string {
  const section = sections.find(([from]) => reference.startsWith(`#/${from}/`))
  if (section === undefined) return reference
  const [from, to] = section
  return `#/components/${to}/${reference.slice(from.length + 3)}`
}

const sections = [
  ['definitions', 'schemas'],
  ['parameters', 'parameters'],
  ['responses', 'responses'],
] as const

/** The pointers of a converted document by those of the Swagger document. */
function convertedPointers(root: Json, origins: Origins): ReadonlyMap<string, string> {
  const pointers = new Map<string, string>()
  const visit = (value: Json, segments: readonly string[]): void => {
    if (typeof value !== 'object' || value === null) return
    const original = formatPointer(origins.of(segments).segments)
    if (!pointers.has(original)) pointers.set(original, formatPointer(segments).replaceAll('%', '%25'))
    for (const [key, member] of Object.entries(value)) visit(member, [...segments, key])
  }
  visit(root, [])
  return pointers
}

/** Fields whose members have free names, which may equal those of keywords. */
const maps: ReadonlySet<string> = new Set([
  'properties',
  'responses',
  'schemas',
  'parameters',
  'headers',
  'paths',
])
