import type { Queryable } from '../storage/database/database.js'
import { insertUser } from '../storage/tables/identity/users.js'
import { type ApiKeyVault, makeApiKey } from './api-key.js'
import { hashPassword, makePassword } from './password.js'

/** A user to create. Default password: a random one. */
export interface AccountRequest {
  readonly login: string
  readonly password?: string | undefined
  readonly role: string
  readonly resellerId: number | null
  /** IANA name. */
  readonly timezone: string | null
}

/** The secrets of a new user. The password cannot be read later. */
export interface Account {
  readonly userId: number
  readonly password: string
  readonly apiKey: string
}

/** Adds a user with a new API key. Rejects with the database's error if the login is taken. */
export async function createAccount(
  database: Queryable,
  vault: ApiKeyVault,
  { login, password = makePassword(), role, resellerId, timezone }: AccountRequest,
): Promise<Account> {
  const apiKey = makeApiKey()
  const userId = await insertUser(database, {
    login,
    passwordHash: await hashPassword(password),
    apiKeyDigest: vault.digest(apiKey),
    apiKeyCiphertext: vault.seal(apiKey),
    role,
    resellerId,
    timezone,
  })
  return { userId, password, apiKey }
}
