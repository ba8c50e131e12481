import { fromRowId } from '../identifier.js'

/** The settings of a user that administrators can change. */
export interface AccountSettings {
  readonly login: string
  readonly role: string
  readonly resellerId: number | null
  /** IANA name. */
  readonly timezone: string | null
  readonly active: boolean
}

/** A user as shown in System / Users. */
export interface AccountRecord extends AccountSettings {
  readonly id: number
  /** Name of the Reseller. */
  readonly reseller: string | null
  readonly hasPassword: boolean
  /** Keys that work. */
  readonly keys: number
  /** UTC datetime. */
  readonly createdAt: string
  /** UTC datetime of the last sign-in to the administration area. Undefined: none is known. */
  readonly lastSignInAt: string | undefined
  /** A text that differs after every change. */
  readonly version: string
}

export interface AccountRow {
  readonly id: string
  readonly login: string
  readonly role: string
  readonly reseller_id: string | null
  readonly reseller: string | null
  readonly timezone: string | null
  readonly active: boolean
  readonly has_password: boolean
  readonly keys: string
  readonly created_at: string
  readonly last_sign_in_at: string | null
  readonly version: string
}

export function toAccount(row: AccountRow): AccountRecord {
  const { login, role, reseller, timezone, active, version } = row
  return {
    id: fromRowId(row.id),
    login,
    role,
    resellerId: row.reseller_id === null ? null : fromRowId(row.reseller_id),
    reseller,
    timezone,
    active,
    hasPassword: row.has_password,
    keys: Number(row.keys),
    createdAt: row.created_at,
    lastSignInAt: row.last_sign_in_at ?? undefined,
    version,
  }
}
