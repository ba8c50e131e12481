import type { ApiKeyRecord, SealedKey } from '../../storage/tables/identity/api-keys.js'
import { type Faults, withFaults } from '../form.js'
import { shownMinute } from '../shown.js'
import type { Area } from '../visit.js'

/** A key in the list of a user's page. Its beginning tells it from others. */
export function shownKey(area: Area, key: ApiKeyRecord, timezone: string) {
  const { id, name, createdAt, expiresAt, lastUsedAt, isReplaced, isExpired } = key
  const left = expiresAt === undefined ? undefined : (Date.parse(expiresAt) - Date.now()) / 86_400_000
  return {
    id,
    name,
    isReplaced,
    isExpired,
    isEnding: !isExpired && !isReplaced && left !== undefined && left < warnDays,
    prefix: beginningOf(area, key),
    createdAt: shownMinute(createdAt, timezone),
    ...(expiresAt !== undefined && { expiresAt: shownMinute(expiresAt, timezone) }),
    ...(lastUsedAt !== undefined && { lastUsedAt: shownMinute(lastUsedAt, timezone) }),
  }
}

/** What tells a key from others. */
export function beginningOf(area: Pick<Area, 'vault'>, key: SealedKey): string {
  return `${openKey(area, key).slice(0, prefixLength)}…`
}

/** `bk_` and 30 bits of a key: too few to help a guess, enough to find it in a configuration. */
const prefixLength = 8

const warnDays = 14

export const longestName = 100

/** How long a key may live. The first is the default. */
export const expiries = [
  { value: '90', label: 'In 90 days', days: 90 },
  { value: '30', label: 'In 30 days', days: 30 },
  { value: '365', label: 'In a year', days: 365 },
  { value: 'never', label: 'Never', days: undefined },
] as const

/** How long a replaced key works on. The first is the default. */
export const overlaps = [
  { value: '0', label: 'at once', seconds: 0 },
  { value: '3600', label: 'in an hour', seconds: 3_600 },
  { value: '86400', label: 'in a day', seconds: 86_400 },
  { value: '604800', label: 'in a week', seconds: 604_800 },
] as const

export function openKey({ vault }: Pick<Area, 'vault'>, { ciphertext, digest }: SealedKey): string {
  return vault.open(ciphertext, digest)
}

/** The fields of a form that creates a key. */
export function keyFields(typed: { readonly name: string; readonly expiry: string }, faults: Faults) {
  return withFaults(
    {
      key_name: {
        label: 'Name',
        value: typed.name,
        hint: 'What uses the key, such as “Invoicing”.',
        isRequired: true,
        autocomplete: 'off',
      },
      key_expiry: {
        label: 'Expires',
        options: expiries.map(({ value, label }) => ({ value, label, isChosen: value === typed.expiry })),
      },
    },
    faults,
  )
}
