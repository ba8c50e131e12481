import type { Queryable } from '../storage/database/database.js'
import { insertUser } from '../storage/tables/users.js'
import { type ApiKeyVault, makeApiKey } from './api-key.js'
import { hashPassword, makePassword } from './password.js'

/** A user to be; without a password one is made. */
export interface AccountRequest {
  readonly login: string
  readonly password?: string | undefined
  readonly role: string
  readonly resellerId: number | null
  /** IANA name. */
  readonly timezone: string | null
}

/** What is known of a new user only now: the password can't be read back. */
export interface Account {
  readonly userId: number
  readonly password: string
  readonly apiKey: string
}

/** Adds a user with a new API key. Rejects with the database's error where the login is taken. */
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
