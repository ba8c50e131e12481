import { makeApiKey } from '../../identity/api-key.js'
import { hashPassword } from '../../identity/password.js'
import { timezones } from '../../settings/timezone.js'
import type { AccountSettings, Outcome } from '../../storage/tables/identity/accounts.js'
import { type Faults, withFaults } from '../form.js'
import { type Area, noSuchPage, type PageResult, type SignedIn } from '../visit.js'
import { keyPath } from './key-path.js'
import { newPasswordFields, readPasswordForm } from './password-form.js'
import {
  readSettingsForm,
  type SentSettings,
  sentSettings,
  settingsFields,
  type TypedSettings,
  timezoneFault,
  typedFrom,
  typedSettings,
} from './settings-form.js'
import { expiries } from './shown-key.js'
import { accountOf, ownSettings, type UserPageState, userPage } from './user-page.js'

export async function showNewUser(area: Area, { query }: SignedIn): Promise<PageResult> {
  const reseller = query.get('reseller') ?? ''
  return newUserPage(area, { login: '', role: 'user', reseller, timezone: '', active: true }, {})
}

export async function createUser(area: Area, visit: SignedIn): Promise<PageResult> {
  const typed = typedSettings(visit.form)
  const read = readSettingsForm(typed, await area.resellers.names())
  const wanted = (visit.form.get('password') ?? '') + (visit.form.get('repeated') ?? '') !== ''
  const { password, faults } = wanted ? readPasswordForm(visit.form) : { password: undefined, faults: {} }
  const wrong = { ...read.faults, ...faults }
  if (Object.keys(wrong).length > 0) return newUserPage(area, typed, wrong)
  const apiKey = makeApiKey()
  const created = await area.accounts.create(
    visit.actor,
    {
      ...read.settings,
      passwordHash: password === undefined ? null : await hashPassword(password),
      apiKeyDigest: area.vault.digest(apiKey),
      apiKeyCiphertext: area.vault.seal(apiKey),
      keyDays: expiries[0].days,
    },
    visit.sessionId,
  )
  if (created === undefined) return newUserPage(area, typed, { login: taken })
  return { to: `${keyPath(created.id, created.keyId ?? 0)}?done=user` }
}

export async function showUser(area: Area, visit: SignedIn): Promise<PageResult> {
  const notice = notices.get(visit.query.get('done') ?? '')
  return userPage(area, visit, await accountOf(area, visit), { notice })
}

export async function changeUser(area: Area, visit: SignedIn): Promise<PageResult> {
  const account = await accountOf(area, visit)
  if (account === undefined) return noSuchPage
  const sent = sentSettings(visit.form)
  const { typed } = sent
  const { settings, faults } = visit.isAdmin
    ? readSettingsForm(typed, await area.resellers.names(), account)
    : { settings: ownSettings(account, typed.timezone), faults: timezoneFault(typed.timezone) }
  if (Object.keys(faults).length > 0) return userPage(area, visit, account, wrongSettings(sent, faults))
  const version = visit.form.get('version') ?? ''
  const outcome = await area.accounts.update(visit.actor, account.id, version, settings)
  // Users who made themselves inactive, or no longer administrators, now see another page.
  if (isDone(outcome)) return { to: `/admin/users/${account.id}?done=${outcome}` }
  const now = await area.accounts.get(account.id)
  // The stored settings are the wanted ones, as after a form that was sent twice.
  if (outcome === 'stale' && now !== undefined && isSame(now, settings))
    return { to: `/admin/users/${account.id}?done=changed` }
  return userPage(area, visit, now, { sent, ...refusalOfSettings(outcome, sent, settings) })
}

function refusalOfSettings(
  outcome: Exclude<Outcome, 'changed' | 'unchanged'>,
  sent: SentSettings,
  { active }: AccountSettings,
): UserPageState {
  if (outcome === 'taken') return wrongSettings(sent, { login: taken })
  if (outcome === 'last_admin')
    return { ...wrongSettings(sent, { [active ? 'role' : 'active']: lastAdministrator }), status: 409 }
  return refusal(outcome)
}

function isSame(one: AccountSettings, other: AccountSettings): boolean {
  return JSON.stringify(typedFrom(one)) === JSON.stringify(typedFrom(other))
}

/** The notice about a change that was not made. */
export function refusal(outcome: Exclude<Outcome, 'changed' | 'unchanged'>): UserPageState {
  if (outcome === 'last_admin') return { status: 409, fault: lastAdministrator }
  return {
    status: 409,
    fault:
      'Someone has changed this user since you opened the page. Your changes are not saved: check the stored values, then save again.',
  }
}

export function isDone(outcome: Outcome): outcome is 'changed' | 'unchanged' {
  return outcome === 'changed' || outcome === 'unchanged'
}

const taken = 'Another user has this login, or one that looks like it.'
const lastAdministrator = 'This is the last active administrator. Create another one first.'

const notices = new Map([
  ['changed', 'Saved.'],
  ['unchanged', 'There was nothing to save.'],
  ['password', 'The password is changed, and all sessions of this user have ended.'],
  ['revoked', 'The API key is revoked. Calls with it now get 401.'],
  ['key-gone', 'This key was replaced or revoked before. Nothing was changed.'],
  ['factors', 'The second factors are reset, and all sessions of this user have ended.'],
  ['ended', 'The session has ended.'],
  ['all-ended', 'All sessions of this user have ended.'],
])

function wrongSettings(sent: SentSettings, settingsFaults: Faults): UserPageState {
  return { status: 422, sent, settingsFaults }
}

async function newUserPage({ resellers }: Area, typed: TypedSettings, faults: Faults): Promise<PageResult> {
  const known = await resellers.names()
  const { password, repeated } = withFaults(
    {
      password: {
        ...newPasswordFields.password,
        label: 'Password',
        hint: `${newPasswordFields.password.hint} Without one, the user can call the API with the key, but not sign in here.`,
        isRequired: false,
        isOptional: true,
      },
      repeated: {
        ...newPasswordFields.repeated,
        label: 'Password again',
        isRequired: false,
        isOptional: true,
      },
    },
    faults,
  )
  return {
    page: 'new-user',
    title: 'Create user',
    status: Object.keys(faults).length > 0 ? 422 : 200,
    data: { fields: { ...settingsFields(typed, known, faults), password, repeated }, timezones, faults },
  }
}
