import type { Json, JsonObject } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { unevaluatedKeywords } from '../../document/vocabulary.js'
import type { Mark } from '../../schema/one-way.js'

/** What a comparison needs to know of a whole document, read in one pass. */
export interface Contents {
  /** The marks that some property has. */
  readonly marks: ReadonlySet<Mark>
  /** Whether a schema depends on what other keywords evaluate. */
  readonly isEvaluated: boolean
  /**
   * The part of the document that references lead into. Paths are most of a document, and indexing them takes longer
   * than most questions. They are left out if every reference leads to a component and no schema has an identifier.
   */
  readonly root: JsonObject
}

export function contentsOf(root: JsonObject): Contents {
  const known = contents.get(root)
  if (known !== undefined) return known
  const marks = new Set<Mark>()
  let isEvaluated = false
  let isApart = true
  const waiting: Json[] = [root]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (isArray(at)) {
      for (const item of at) if (typeof item === 'object' && item !== null) waiting.push(item)
      continue
    }
    if (!isObject(at)) continue
    for (const key in at) {
      const member = at[key]
      if (key === 'properties' && hasDefaults(member)) marks.add('default')
      if (typeof member === 'object' && member !== null) waiting.push(member)
      else if (member === true && (key === 'readOnly' || key === 'writeOnly')) marks.add(key)
      else if (key.startsWith('$'))
        isApart &&= key === '$ref' && typeof member === 'string' && member.startsWith('#/components/')
      if (unevaluatedKeywords.some((keyword) => keyword === key)) isEvaluated ||= (member ?? true) !== true
    }
  }
  const components = own(root, 'components')
  const made = { marks, isEvaluated, root: isApart && components !== undefined ? { components } : root }
  contents.set(root, made)
  return made
}

function hasDefaults(properties: Json | undefined): boolean {
  if (!isObject(properties)) return false
  return Object.values(properties).some((schema) => isObject(schema) && own(schema, 'default') !== undefined)
}

const contents = new WeakMap<JsonObject, Contents>()
