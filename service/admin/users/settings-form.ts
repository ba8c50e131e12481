import { isMixed } from '../../identity/login.js'
import { isInvisible, isName, nameLength, roles } from '../../identity/rules.js'
import { timezoneNamed } from '../../settings/timezone.js'
import type { AccountRecord, AccountSettings } from '../../storage/tables/identity/accounts.js'
import type { Reseller } from '../../storage/tables/resellers.js'
import { type Faults, type Field, withFaults } from '../form.js'

/** The settings of a user as the texts of a form. */
export interface TypedSettings {
  readonly login: string
  readonly role: string
  /** Id of the Reseller; {@link unlimited}: none; empty: not chosen yet. */
  readonly reseller: string
  readonly timezone: string
  readonly active: boolean
}

/** The values that a form says it was loaded with. Nothing else relies on them, so they may be missing or forged. */
export type LoadedSettings = { readonly [Name in keyof TypedSettings]: TypedSettings[Name] | undefined }

/** A settings form as sent. */
export interface SentSettings {
  readonly typed: TypedSettings
  readonly loaded: LoadedSettings
}

export type Resellers = readonly Pick<Reseller, 'id' | 'name'>[]

export function typedSettings(form: URLSearchParams): TypedSettings {
  const text = (name: string) => form.get(name) ?? ''
  return {
    login: text('login'),
    role: text('role'),
    reseller: text('reseller'),
    timezone: text('timezone').trim(),
    active: form.has('active'),
  }
}

export function sentSettings(form: URLSearchParams): SentSettings {
  const text = (name: string) => form.get(`loaded_${name}`) ?? undefined
  const active = text('active')
  return {
    typed: typedSettings(form),
    loaded: {
      login: text('login'),
      role: text('role'),
      reseller: text('reseller'),
      timezone: text('timezone'),
      active: active === undefined ? undefined : active === 'yes',
    },
  }
}

/** Applies the edited fields to the stored settings. A field that was not edited keeps the stored value. */
export function rebased({ typed, loaded }: SentSettings, stored: TypedSettings): TypedSettings {
  const take = <Name extends keyof TypedSettings>(name: Name) =>
    typed[name] === loaded[name] ? stored[name] : typed[name]
  return {
    login: take('login'),
    role: take('role'),
    reseller: take('reseller'),
    timezone: take('timezone'),
    active: take('active'),
  }
}

export function typedFrom({ login, role, resellerId, timezone, active }: AccountSettings): TypedSettings {
  return { login, role, reseller: String(resellerId ?? unlimited), timezone: timezone ?? '', active }
}

/**
 * Reads a settings form, and its faults.
 * @param stored the settings before the change, whose login and role stay allowed
 */
export function readSettingsForm(
  typed: TypedSettings,
  resellers: Resellers,
  stored?: Pick<AccountSettings, 'login' | 'role'>,
): { readonly settings: AccountSettings; readonly faults: Faults } {
  const { login, active } = typed
  const reseller = resellers.find(({ id }) => String(id) === typed.reseller)
  const faults = {
    ...(login !== stored?.login && loginFault(login)),
    ...(![...roles, stored?.role].includes(typed.role) && { role: 'Choose a role.' }),
    ...resellerFault(typed.reseller, reseller !== undefined),
    ...timezoneFault(typed.timezone),
  }
  const timezone = timezoneNamed(typed.timezone) ?? null
  return { settings: { login, role: typed.role, resellerId: reseller?.id ?? null, timezone, active }, faults }
}

function loginFault(login: string): Faults {
  if (!isName(login, nameLength.login)) return { login: nameFault('a login', login, nameLength.login) }
  if (isMixed(login)) return { login: 'Use one alphabet: letters of two look alike.' }
  return {}
}

function resellerFault(typed: string, isKnown: boolean): Faults {
  if (typed === unlimited || isKnown) return {}
  return {
    reseller: typed === '' ? 'Choose a Reseller, or no limit.' : 'This Reseller no longer exists.',
  }
}

export function timezoneFault(timezone: string): Faults {
  if (timezone === '' || (timezone.length <= 100 && timezoneNamed(timezone) !== undefined)) return {}
  return { timezone: 'Enter a name of the IANA time zone database, such as Europe/Berlin, or nothing.' }
}

/** The message for an invalid name. */
export function nameFault(what: string, text: string, maximum: number): string {
  if (text === '') return `Enter ${what}.`
  if ([...text].length > maximum) return `At most ${maximum} characters; these are ${[...text].length}.`
  if (text.trim() !== text) return 'Remove the spaces before and after it.'
  return isInvisible(text) ? 'Remove the invisible characters.' : 'Remove the control characters.'
}

/** The fields of the form. Marks those of a `sent` form that somebody else has changed meanwhile. */
export function settingsFields(
  typed: TypedSettings,
  resellers: Resellers,
  faults: Faults,
  sent?: { readonly loaded: LoadedSettings; readonly stored: AccountRecord },
): Readonly<Record<keyof TypedSettings, Field>> {
  const stored = sent?.stored
  const now = stored && typedFrom(stored)
  const storedOf = (name: keyof TypedSettings, text: string) =>
    now !== undefined && now[name] !== typed[name] && now[name] !== sent?.loaded[name] && { stored: text }
  return withFaults(
    {
      login: {
        label: 'Login',
        value: typed.login,
        autocomplete: 'off',
        isRequired: true,
        ...storedOf('login', now?.login ?? ''),
      },
      role: {
        label: 'Role',
        value: typed.role,
        hint: '“admin” sees and changes everything here. The API ignores roles.',
        options: roleOptions(typed.role, stored?.role),
        ...storedOf('role', now?.role ?? ''),
      },
      reseller: {
        label: 'Reseller',
        value: typed.reseller,
        hint: 'API calls see data of this Reseller alone.',
        options: optionsOf(typed.reseller, resellers),
        ...storedOf('reseller', stored?.reseller ?? unlimitedLabel),
      },
      timezone: {
        ...timezoneField,
        value: typed.timezone,
        ...storedOf('timezone', stored?.timezone ?? 'none'),
      },
      active: {
        label: 'Active',
        isCheckbox: true,
        isChecked: typed.active,
        hint: 'If off, the user’s key, tokens and password do not work.',
        ...storedOf('active', stored?.active ? 'active' : 'inactive'),
      },
    },
    faults,
  )
}

export const timezoneField = {
  label: 'Time zone',
  hint: 'Such as Europe/Berlin. Empty: the system’s.',
  list: 'timezones',
  isOptional: true,
  autocomplete: 'off',
} as const

/** The value of the field for users whom no Reseller limits. */
export const unlimited = 'all'

const unlimitedLabel = 'No limit: data of all Resellers'

function optionsOf(chosen: string, resellers: Resellers) {
  const known = resellers.map(({ id, name }) => ({ value: String(id), label: name }))
  const all = [
    ...(chosen === '' ? [{ value: '', label: 'Choose a Reseller' }] : []),
    ...known,
    { value: unlimited, label: unlimitedLabel },
  ]
  const missing = all.every(({ value }) => value !== chosen)
  return [...all, ...(missing ? [{ value: chosen, label: 'A deleted Reseller' }] : [])].map((option) => ({
    ...option,
    isChosen: option.value === chosen,
  }))
}

/** The roles to choose from. A user keeps a role that is none of them, as commands once took. */
function roleOptions(chosen: string, stored: string | undefined) {
  const all = new Set([...roles, ...[chosen, stored].filter((role) => role !== undefined && role !== '')])
  return [...all].map((role) => ({ value: role, label: role, isChosen: role === chosen }))
}
