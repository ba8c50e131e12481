import { type Cursor, objectOf } from '../../document/cursor.js'
import { isArray, isObject, own } from '../../document/json.js'
import { choices } from '../../document/vocabulary.js'
import { asObject, type Side } from '../change/side.js'
import { isAnnotationKeyword, resolve } from '../same/same.js'

/**
 * A schema whose branches are only types, rewritten with a list of types: `anyOf: [{type: string}, {type: integer}]`
 * becomes `type: [string, integer]`. The same holds for `oneOf` if no value has two of the types. Undefined for other
 * schemas.
 */
export function withTypeList(side: Side, cursor: Cursor): Cursor | undefined {
  const schema = asObject(cursor.value)
  if (Object.hasOwn(schema, 'type')) return undefined
  for (const keyword of choices) {
    const branches = own(schema, keyword)
    if (!isArray(branches) || branches.length < 2) continue
    const types = branches.map((branch) => onlyType(resolve(side, branch)))
    if (types.some((type) => type === undefined) || new Set(types).size < types.length) continue
    if (keyword === 'oneOf' && types.includes('integer') && types.includes('number')) continue
    const rest = Object.entries(schema).filter(([key]) => key !== keyword)
    const type = types.filter((name) => name !== undefined)
    return { ...cursor, value: objectOf([...rest, ['type', type]]) }
  }
  return undefined
}

function onlyType(branch: unknown): string | undefined {
  if (!isObject(branch)) return undefined
  const type = own(branch, 'type')
  const others = Object.keys(branch).filter((key) => key !== 'type' && !isAnnotationKeyword(key))
  return typeof type === 'string' && others.length === 0 ? type : undefined
}
