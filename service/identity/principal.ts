import type { User } from '../storage/tables/identity/users.js'

/** The caller. Logs and the administration area use the role; no operation checks it (seed section 5). */
export interface Principal {
  readonly userId: number
  readonly login: string
  readonly role: string
  /** The user's Reseller. Null: not limited. */
  readonly resellerId: number | null
  /** IANA name of the user's zone. */
  readonly timezone: string | undefined
  /** Session and token of a call that carries a JWT. */
  readonly session?: { readonly id: string; readonly tokenId: string }
}

export function toPrincipal(user: User, session?: Principal['session']): Principal {
  const { id: userId, login, role, resellerId, timezone } = user
  return { userId, login, role, resellerId, timezone, ...(session !== undefined && { session }) }
}
