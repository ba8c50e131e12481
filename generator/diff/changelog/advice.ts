import { entryOf, hasTrait } from '../change/catalogue.js'
import type { Change } from '../change/change.js'
import type { Group } from '../report/groups.js'

/**
 * What callers do about a breaking change, as one sentence.
 *
 * @param credentials what the new version accepts: `apiKey or jwt`. Undefined if it is not the same for all operations
 */
export function adviceOn(change: Advised, credentials?: string): string {
  return (change.direction === 'response' ? onResponse(change) : onRequest(change, credentials)) ?? general
}

type Advised = Pick<Group, 'id' | 'direction' | 'message' | 'facts'>

const general = 'Compare your calls with the new version.'

function onRequest(change: Advised, credentials: string | undefined): string | undefined {
  const { id, direction } = change
  const { refusedBy } = entryOf(id)
  if (hasTrait(id, 'removal')) return 'Stop calling it.'
  if (id === 'endpoint-path-changed') return 'Call the new path.'
  if (/renamed/.test(id)) return 'Call it by the new name.'
  if (hasTrait(id, 'move')) return 'Call it at its new address.'
  if (hasTrait(id, 'credentials') || hasTrait(id, 'inherited') || hasTrait(id, 'scheme'))
    return credentials === undefined
      ? 'Send credentials that the new version accepts.'
      : `Send credentials of ${credentials}.`
  if (direction === null) return undefined
  if (/default-value-/.test(id)) return 'Send the value that you rely on.'
  if (isRequired.test(id)) return 'Send it in every call.'
  if (hasTrait(id, 'loss')) return 'Leave it out.'
  if (hasTrait(id, 'other value')) return 'Write it as the new version reads it.'
  if (/enum-value-removed|became-enum|const-/.test(id)) return 'Send only the values that are left.'
  if (/became-not-nullable/.test(id)) return 'Leave it out instead of sending null.'
  if (refusedBy.length === 0) return undefined
  const bounds = boundsIn(change)
  return bounds === undefined ? 'Send only values that the new version accepts.' : `Send ${bounds}.`
}

/** `at most 100`. Undefined unless bounds are all that changed. */
function boundsIn({ message, facts = [message] }: Advised): string | undefined {
  const bounds = facts.map((fact) => {
    const { keyword = '', bound = '' } = newBound.exec(fact)?.groups ?? {}
    return boundWords.get(keyword)?.(bound)
  })
  return bounds.includes(undefined) ? undefined : bounds.join(' and ')
}

const newBound = /`(?<keyword>\w+)` (?:was|became) [^(]*\((?:\S+ to )?(?<bound>-?\d\S*)\)$/

const boundWords: ReadonlyMap<string, (bound: string) => string> = new Map([
  ['maximum', (bound: string) => `at most ${bound}`],
  ['minimum', (bound) => `at least ${bound}`],
  ['exclusiveMaximum', (bound) => `less than ${bound}`],
  ['exclusiveMinimum', (bound) => `more than ${bound}`],
  ['multipleOf', (bound) => `multiples of ${bound}`],
  ['maxLength', (bound) => `at most ${counted(bound, 'character')}`],
  ['minLength', (bound) => `at least ${counted(bound, 'character')}`],
  ['maxItems', (bound) => `at most ${counted(bound, 'item')}`],
  ['minItems', (bound) => `at least ${counted(bound, 'item')}`],
])

function counted(count: string, noun: string): string {
  return `${count} ${noun}${count === '1' ? '' : 's'}`
}

const isRequired = /became-required|^new-required-|^new-request-path-parameter/

function onResponse({ id }: Pick<Change, 'id'>): string | undefined {
  if (/enum-value-added|enum-removed/.test(id)) return 'Accept values that you do not know.'
  if (/became-nullable/.test(id)) return 'Accept null.'
  if (/property-removed|became-optional|header-removed/.test(id)) return 'Accept responses without it.'
  if (/type-|format-/.test(id)) return 'Read the new type.'
  if (/status/.test(id)) return 'Handle the responses that the new version gives.'
  return 'Accept the values that the new version gives.'
}
