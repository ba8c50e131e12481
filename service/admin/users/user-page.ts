import { timezoneNamed, timezones } from '../../settings/timezone.js'
import type { AccountRecord, AccountSettings } from '../../storage/tables/identity/accounts.js'
import { type Faults, withFaults } from '../form.js'
import { shownEntry, shownTime } from '../shown.js'
import { isolated } from '../visible.js'
import { type Area, noSuchPage, type PageResult, type SignedIn } from '../visit.js'
import { passwordFields } from './password-form.js'
import { rebased, type SentSettings, settingsFields, timezoneField, typedFrom } from './settings-form.js'
import { expiries, keyFields, overlaps, shownKey } from './shown-key.js'

/** What a user's page shows in addition to the stored data. */
export interface UserPageState {
  readonly status?: number
  /** The settings form as sent, if it has faults. */
  readonly sent?: SentSettings
  readonly settingsFaults?: Faults
  readonly passwordFaults?: Faults
  readonly fault?: string | undefined
  readonly notice?: string | undefined
  /** The form of a new key as sent, if it has faults. */
  readonly sentKey?: { readonly name: string; readonly expiry: string }
  readonly keyFaults?: Faults
}

/** The user in the path. Undefined unless the signed-in user is an administrator or the same user. */
export async function accountOf({ accounts }: Area, visit: SignedIn): Promise<AccountRecord | undefined> {
  const id = Number(visit.named.id)
  return visit.isAdmin || id === visit.user.id ? await accounts.get(id) : undefined
}

/** The page of a user: settings, password, API key, sessions, the last changes. */
export async function userPage(
  area: Area,
  visit: SignedIn,
  account: AccountRecord | undefined,
  state: UserPageState = {},
): Promise<PageResult> {
  if (account === undefined) return noSuchPage
  const { timezone, isAdmin } = visit
  const entity = { name: 'user', id: String(account.id) }
  const [resellers, keys, factors, sessions, entries] = await Promise.all([
    isAdmin ? area.resellers.names() : [],
    area.keys.list(account.id),
    area.factors.of(account.id),
    area.sessions.list(account.id),
    isAdmin ? area.audit.search({ limit: 5, entity }) : [],
  ])
  const isOwn = account.id === visit.user.id
  const loaded = typedFrom(account)
  const { sent } = state
  const faults = state.settingsFaults ?? {}
  const fields =
    sent === undefined
      ? settingsFields(loaded, resellers, faults)
      : settingsFields(rebased(sent, loaded), resellers, faults, { loaded: sent.loaded, stored: account })
  return {
    page: 'user',
    title: isolated(account.login),
    status: state.status ?? 200,
    data: {
      account,
      path: `/admin/users/${account.id}`,
      isOwn,
      isOther: !isOwn,
      isAdmin,
      loaded,
      fields: isAdmin ? fields : withFaults({ timezone: { ...timezoneField, ...fields.timezone } }, faults),
      passwordFields: passwordFields(isOwn, state.passwordFaults ?? {}),
      timezones,
      said: state,
      keys: keys.map((key) => shownKey(area, key, timezone)),
      overlaps,
      keyForm: {
        isOpen: state.sentKey !== undefined,
        fields: keyFields(state.sentKey ?? { name: '', expiry: expiries[0].value }, state.keyFaults ?? {}),
      },
      factors: { ...factors, isNone: !factors.hasApp && factors.passkeys === 0 },
      ...(account.lastSignInAt !== undefined && { signedIn: shownTime(account.lastSignInAt, timezone) }),
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

/** The settings after a change by a user who is no administrator: only the time zone is theirs to change. */
export function ownSettings(account: AccountRecord, timezone: string): AccountSettings {
  return { ...account, timezone: timezoneNamed(timezone) ?? null }
}

/** A short name of the browser. The page shows the whole user agent next to it. */
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
