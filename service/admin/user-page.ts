import type { AccountRecord, AccountSettings, SealedKey } from '../storage/tables/accounts.js'
import { type Faults, withFaults } from './form.js'
import { passwordFields } from './password-form.js'
import {
  rebased,
  type SentSettings,
  settingsFields,
  timezoneField,
  timezones,
  typedFrom,
} from './settings-form.js'
import { shownEntry, shownTime } from './shown.js'
import { type Answer, type Area, noSuchPage, type SignedIn } from './visit.js'

/** What a user's page says beside what is stored. */
export interface Said {
  readonly status?: number
  /** The form of the settings, where it comes back. */
  readonly sent?: SentSettings
  readonly settingsFaults?: Faults
  readonly passwordFaults?: Faults
  readonly fault?: string | undefined
  readonly notice?: string | undefined
  /** The key to show. */
  readonly apiKey?: string
}

/** The user that a path names, where the one who is signed in may see it: an administrator any, others themselves. */
export async function accountOf({ accounts }: Area, visit: SignedIn): Promise<AccountRecord | undefined> {
  const id = Number(visit.named.id)
  return visit.isAdmin || id === visit.user.id ? await accounts.get(id) : undefined
}

/** The page of a user: settings, password, API key, sessions, the last changes. */
export async function userPage(
  area: Area,
  visit: SignedIn,
  account: AccountRecord | undefined,
  said: Said = {},
): Promise<Answer> {
  if (account === undefined) return noSuchPage
  const { timezone, isAdmin } = visit
  const entity = { name: 'user', id: String(account.id) }
  const [resellers, sessions, entries] = await Promise.all([
    isAdmin ? area.resellers.names() : [],
    area.sessions.list(account.id),
    isAdmin ? area.audit.search({ limit: 5, entity }) : [],
  ])
  const isOwn = account.id === visit.user.id
  const loaded = typedFrom(account)
  const { sent } = said
  const faults = said.settingsFaults ?? {}
  const fields =
    sent === undefined
      ? settingsFields(loaded, resellers, faults)
      : settingsFields(rebased(sent, loaded), resellers, faults, { loaded: sent.loaded, stored: account })
  return {
    page: 'user',
    title: account.login,
    status: said.status ?? 200,
    data: {
      account,
      path: `/admin/users/${account.id}`,
      isOwn,
      isOther: !isOwn,
      isAdmin,
      loaded,
      fields: isAdmin ? fields : withFaults({ timezone: { ...timezoneField, ...fields.timezone } }, faults),
      passwordFields: passwordFields(isOwn, said.passwordFaults ?? {}),
      timezones,
      said,
      sessions: sessions.map(({ id, kind, createdAt, until, agent }) => ({
        id,
        name: kind === 'token' ? 'API token' : browserOf(agent),
        agent,
        isToken: kind === 'token',
        isThis: id === visit.sessionId,
        createdAt: shownTime(createdAt, timezone),
        until: shownTime(until, timezone),
      })),
      entries: entries.map((entry) => shownEntry(entry, timezone, resellers)),
      auditPath: `/admin/audit?${new URLSearchParams({ entity: 'user', id: entity.id })}`,
      timezone,
    },
  }
}

/** What a person who is no administrator may change of the own settings. */
export function ownSettings(account: AccountRecord, timezone: string): AccountSettings {
  return { ...account, timezone: timezone === '' ? null : timezone }
}

export function openKey({ vault }: Area, { ciphertext, digest }: SealedKey): string {
  return vault.open(ciphertext, digest)
}

/** The browser that a user agent belongs to, in a word or two; the whole text stands beside it. */
function browserOf(agent: string): string {
  const browser = browsers.find(([pattern]) => pattern.test(agent))?.[1] ?? 'Another program'
  const system = systems.find(([pattern]) => pattern.test(agent))?.[1]
  return system === undefined ? browser : `${browser} on ${system}`
}

const browsers = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const systems = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const
