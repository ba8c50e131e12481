import type { JsonObject } from '../../document/document.js'
import type { ChangeId } from '../change/catalogue.js'
import { among, whereJson, whereTexts } from '../change/protocol.js'
import { asObject } from '../change/side.js'
import { changeId } from '../change/subject.js'
import { actionHasTrait, type SchemaAction } from '../change/table/schema-actions.js'
import { harmless, isBad, type Judged } from '../decide/judgement.js'
import { kindOf, typesOf } from '../texts/types.js'
import type { KeywordChange } from './keywords.js'
import type { Difference, SchemaPair, SchemaWalk } from './schema-walk.js'
import { unwritten } from './unwritten.js'

/** Reports that null was added or removed. */
export function nullChange(walk: SchemaWalk, pair: SchemaPair, action: NullAction): void {
  const isSent = walk.isRequest === (action === 'became-not-nullable')
  const judged: Judged = isSent ? { level: 'breaking', evidence: { witness: null } } : harmless
  putNull(walk, pair, { action, keywords: [], judged })
}

type NullAction = 'became-nullable' | 'became-not-nullable'

function putNull(walk: SchemaWalk, pair: SchemaPair, change: Difference): void {
  if (isBad(change.judged ?? harmless) && unwritten(walk).includes(null)) {
    walk.report(pair, { ...change, judged: harmless, protocols: whereTexts })
    walk.report(pair, { ...change, protocols: whereJson })
  } else walk.report(pair, change)
}

/** REST reads text: a parameter that becomes a string accepts what it accepted before, but only over REST. */
export function typeChange(
  walk: SchemaWalk,
  pair: SchemaPair,
  action: SchemaAction,
  a: JsonObject,
  b: JsonObject,
): void {
  const [old, fresh] = [kindOf(a), kindOf(b)]
  if (actionHasTrait(action, 'null')) {
    const judged = walk.judgeKeywords({ ...asObject(walk.sender), type: 'null' }, ['type'])
    putNull(walk, pair, { action, keywords: [], old, new: fresh, judged })
    return
  }
  const change: KeywordChange = { action, keywords: ['type', 'format'], old, new: fresh }
  const texts = actionHasTrait(action, 'text') ? walk.texts : undefined
  if (texts === undefined || (isBad(texts) && walk.refusing.size === 0)) {
    walk.report(pair, change)
    return
  }
  const [id, isParameter] = [textId(walk, action), walk.traits.holder === 'parameter']
  if (isParameter && !isBad(walk.decide(change.keywords))) {
    walk.report(pair, { ...change, id })
    return
  }
  walk.report(pair, { ...change, id, judged: harmless, protocols: whereTexts })
  walk.report(pair, { ...change, ...(isParameter && { id }), protocols: whereJson })
}

/** Reports a text that REST no longer accepts, although JSON-RPC accepts every value. */
export function textChange(walk: SchemaWalk, pair: SchemaPair): void {
  const { node, texts, traits } = walk
  const isReported = node.findings.some(
    ({ judged, protocols }) => isBad(judged) && (protocols === undefined || among(protocols, whereTexts)),
  )
  if (texts === undefined || !isBad(texts) || isReported) return
  const [old, fresh] = [pair.a, pair.b].map(({ value }) => kindOf(asObject(value)))
  const id = changeId(traits, node.isRoot, 'type-changed', pair.kind)
  const change: Difference = { id, keywords: [], old, new: fresh, protocols: whereTexts }
  walk.reportAs(pair, change, id, texts, 'convention', undefined)
}

/** The id for a changed type that accepts the same texts. */
function textId({ node: { isRoot }, traits, receiver }: SchemaWalk, action: SchemaAction): ChangeId {
  if (traits.holder !== 'parameter') return changeId(traits, isRoot, 'type-compatible')
  const isText = typesOf(asObject(receiver)).includes('string')
  return changeId(traits, isRoot, isRoot && isText ? 'type-generalized' : action)
}
