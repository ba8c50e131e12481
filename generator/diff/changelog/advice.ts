import { entryOf, hasTrait } from '../change/catalogue.js'
import type { Change } from '../change/change.js'

/** What callers do about a breaking change, as one sentence. */
export function adviceOn(change: Pick<Change, 'id' | 'direction'>): string {
  return (change.direction === 'response' ? onResponse(change) : onRequest(change)) ?? general
}

const general = 'Compare your calls with the new version.'

function onRequest({ id, direction }: Pick<Change, 'id' | 'direction'>): string | undefined {
  const { refusedBy } = entryOf(id)
  if (hasTrait(id, 'removal')) return 'Stop calling it.'
  if (id === 'endpoint-path-changed') return 'Call the new path.'
  if (/renamed/.test(id)) return 'Call it by the new name.'
  if (hasTrait(id, 'move')) return 'Call it at its new address.'
  if (hasTrait(id, 'credentials') || hasTrait(id, 'inherited') || hasTrait(id, 'scheme'))
    return 'Send credentials that the new version accepts.'
  if (direction === null) return undefined
  if (/default-value-/.test(id)) return 'Send the value that you rely on.'
  if (isRequired.test(id)) return 'Send it in every call.'
  if (hasTrait(id, 'loss')) return 'Leave it out.'
  if (hasTrait(id, 'other value')) return 'Write it as the new version reads it.'
  if (/enum-value-removed|became-enum|const-/.test(id)) return 'Send only the values that are left.'
  if (/became-not-nullable/.test(id)) return 'Leave it out instead of sending null.'
  return refusedBy.length > 0 ? 'Send only values that the new version accepts.' : undefined
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
