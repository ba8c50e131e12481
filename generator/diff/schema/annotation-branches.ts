import type { Json, JsonObject } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { fingerprint } from '../../schema/canonical.js'
import type { Side } from '../change/side.js'
import { isAnnotationKeyword, resolve } from '../same/same.js'
import type { KeywordChange } from './keywords.js'

/** Added or removed branches of `allOf` that only annotate. */
export function annotationBranchChanges(
  old: Side,
  a: JsonObject,
  new_: Side,
  b: JsonObject,
): KeywordChange[] {
  const [olds, news] = [branchesOf(old, a), branchesOf(new_, b)]
  const base = { keywords: [], unseen: true as const }
  return [
    ...olds
      .filter((branch) => !news.includes(branch))
      .map((branch) => ({ ...base, action: 'all-of-removed-annotation-only' as const, old: branch })),
    ...news
      .filter((branch) => !olds.includes(branch))
      .map((branch) => ({ ...base, action: 'all-of-added-annotation-only' as const, new: branch })),
  ]
}

function branchesOf(side: Side, schema: JsonObject): string[] {
  const branches = own(schema, 'allOf')
  if (!isArray(branches)) return []
  return branches.filter((branch) => isAnnotation(side, branch)).map(fingerprint)
}

/** Whether a schema has nothing but annotations. */
export function isAnnotation(side: Side, schema: Json): boolean {
  const target = resolve(side, schema)
  return isObject(target) && Object.keys(target).every(isAnnotationKeyword)
}
