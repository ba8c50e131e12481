import type { ParameterBinding } from 'duet-runtime'
import { readParameter } from 'duet-runtime/parameter'
import type { Json } from '../../../document/document.js'
import type { Finding } from '../../change/collector.js'
import type { OperationPair } from '../parts/pair.js'
import { ExplodedObject } from './exploded.js'
import { type Parameter, schemaOf } from './parameter.js'
import { pathOf } from './path-of.js'
import { bindingOf, isExploded } from './query-names.js'

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
  const lost = namesOf(was).flatMap((name) => {
    const text = `${encodeURIComponent(name)}=`
    const { value, violations } = readParameter(was, text)
    const isLost = readParameter(is, text).value === undefined
    return value === undefined || violations.length > 0 || !isLost ? [] : [{ name, value: value as Json }]
  })
  const { judgement } = pair.tools.reach.graph
  const sender = schemaOf(pair.old, old)?.value ?? true
  const taken = lost.find(({ value }) => judgement.isContained('request back', { const: value }, sender))
  if (taken !== undefined && !mayBeMissing)
    return { level: 'breaking', evidence: { witness: taken.value, at: pathOf(fresh) } }
  // A member may be empty beside others that the object requires.
  const isMember = isExploded(was) && lost.length > 0
  const needed = new ExplodedObject(pair.new, schemaOf(pair.new, fresh)?.value ?? true).needed
  if (isMember && lost.some(({ name }) => needed.has(name))) return { level: 'breaking', evidence: {} }
  if (taken === undefined && !isMember) return {}
  return { level: 'dangerous', evidence: { reason: 'an empty text arrived as a value and now counts as left out' } }
}

/** The query names of a parameter. */
function namesOf(binding: ParameterBinding): string[] {
  return isExploded(binding) ? Object.keys(binding.coerce.properties ?? {}) : [binding.name]
}
