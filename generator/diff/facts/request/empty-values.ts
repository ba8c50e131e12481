import { isDeepStrictEqual } from 'node:util'
import type { ParameterBinding } from 'duet-runtime'
import { readParameter } from 'duet-runtime/parameter'
import { childPointer } from '../../../document/cursor.js'
import type { Json } from '../../../document/document.js'
import { own } from '../../../document/json.js'
import type { Finding } from '../../change/collector.js'
import { asObject } from '../../change/side.js'
import type { OperationPair } from '../parts/pair.js'
import { ExplodedObject } from './exploded.js'
import { type Parameter, schemaOf } from './parameter.js'
import { bindingOf, isExploded } from './query-names.js'
import { samplesOf } from './samples.js'

/**
 * Judges a parameter that may now be empty. An empty text then counts as left out, so a value that the old version read
 * from it no longer arrives, and is refused as missing if the new version needs it.
 */
export function lostIfEmpty(
  pair: OperationPair,
  old: Parameter,
  fresh: Parameter,
  mayBeMissing: boolean,
): Pick<Finding, 'level' | 'evidence'> {
  const [was, is] = [bindingOf(pair.before, old), bindingOf(pair.after, fresh)]
  if (was === undefined || is === undefined) return {}
  const { judgement } = pair.tools.reach.graph
  const sender = schemaOf(pair.old, old)?.value ?? true
  const object = new ExplodedObject(pair.old, sender)
  const isSent = (value: Json, schema: Json): boolean =>
    judgement.isContained('request back', { const: value }, schema)
  const lost = namesOf(was).flatMap((name) => {
    const text = `${encodeURIComponent(name)}=`
    const { value, violations } = readParameter(was, text)
    if (violations.length > 0 || readParameter(is, text).value !== undefined) return []
    const read = value as Json | undefined
    const one = isExploded(was) ? own(asObject(read), name) : read
    const schema = isExploded(was) ? (object.member(judgement, name) ?? true) : sender
    return read === undefined || one === undefined || !isSent(one, schema) ? [] : [{ name, value: read }]
  })
  const shorter = withEmptyItem(pair, [old, was], [fresh, is])
  const refused = shorter.find(({ isRefused }) => isRefused)
  if (refused !== undefined)
    return { level: 'breaking', evidence: { witness: refused.was, at: childPointer('', old.param) } }
  if (lost.length === 0) return shorter.length === 0 ? {} : { level: 'dangerous', evidence: {} }
  const whole = lost.find(({ value }) => isSent(value, sender))
  if (whole !== undefined && !mayBeMissing)
    return { level: 'breaking', evidence: { witness: whole.value, at: childPointer('', old.param) } }
  const { needed } = new ExplodedObject(pair.new, schemaOf(pair.new, fresh)?.value ?? true)
  // A member is missing if the object has others.
  const isMissing = isExploded(was) && (was.open === true || namesOf(was).length > 1)
  if (isMissing && lost.some(({ name }) => needed.has(name))) return { level: 'breaking', evidence: {} }
  return { level: 'dangerous', evidence: {} }
}

/**
 * Judges a parameter that may no longer be empty. An empty text counted as left out: the new version refuses it, or
 * reads a value from it. `wasNeeded`: whether the old version refused calls without the parameter.
 */
export function readIfEmpty(
  pair: OperationPair,
  old: Parameter,
  fresh: Parameter,
  wasNeeded: boolean,
): Pick<Finding, 'level' | 'evidence'> {
  const [was, is] = [bindingOf(pair.before, old), bindingOf(pair.after, fresh)]
  if (was === undefined || is === undefined) return {}
  const { judgement } = pair.tools.reach.graph
  const receiver = schemaOf(pair.new, fresh)?.value ?? true
  const names = wasNeeded ? [] : namesOf(was)
  const readings = names.map((name) => readParameter(is, `${encodeURIComponent(name)}=`))
  const longer = withEmptyItem(pair, [old, was], [fresh, is])
  const isTaken = (value: Json): boolean =>
    judgement.passes('request', { const: value }, receiver).verdict !== 'not-contained'
  const isRefused = readings.some(
    ({ value, violations }) => violations.length > 0 || (value !== undefined && !isTaken(value as Json)),
  )
  if (isRefused) return {}
  const refused = longer.find((one) => one.isRefused)
  if (refused !== undefined) return { evidence: { witness: refused.is, at: childPointer('', old.param) } }
  const isOther = longer.length > 0 || readings.some(({ value }) => value !== undefined)
  return { level: isOther ? 'dangerous' : 'compatible', evidence: {} }
}

/**
 * Lists with an empty item that arrive as others: as the old and as the new version reads them, and whether the new
 * version refuses them.
 */
function withEmptyItem(
  pair: OperationPair,
  [old, was]: readonly [Parameter, ParameterBinding],
  [fresh, is]: readonly [Parameter, ParameterBinding],
): { readonly was: Json; readonly is: Json; readonly isRefused: boolean }[] {
  if (!was.coerce.types.includes('array') || was.style !== 'form' || !was.explode) return []
  const { judgement } = pair.tools.reach.graph
  const [sender, receiver] = [
    schemaOf(pair.old, old)?.value ?? true,
    schemaOf(pair.new, fresh)?.value ?? true,
  ]
  return samplesOf(judgement, sender, was).flatMap((sample) => {
    const text = `${sample}&${encodeURIComponent(was.name)}=`
    const [before, after] = [readParameter(was, text), readParameter(is, text)]
    if (before.violations.length > 0 || isDeepStrictEqual(before.value, after.value)) return []
    const [read, arrived] = [before.value as Json, after.value as Json]
    if (!judgement.isContained('request back', { const: read }, sender)) return []
    const taken = judgement.passes('request', { const: arrived }, receiver)
    return [
      { was: read, is: arrived, isRefused: after.violations.length > 0 || taken.verdict === 'not-contained' },
    ]
  })
}

/** The query names of a parameter. */
function namesOf(binding: ParameterBinding): string[] {
  return isExploded(binding) ? Object.keys(binding.coerce.properties ?? {}) : [binding.name]
}
