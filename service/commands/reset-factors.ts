import { Failure } from '../failure.js'
import type { Database } from '../storage/database/database.js'
import { commandActor } from '../storage/tables/audit.js'
import { findLogin } from '../storage/tables/identity/accounts.js'
import { factorStore } from '../storage/tables/identity/factors.js'

/**
 * Removes all second factors of a user who has lost them, and ends the user's sessions.
 * @throws Failure if there is no such user
 */
export async function resetFactors(database: Database, login: string): Promise<void> {
  const id = await findLogin(database, login)
  if (id === undefined) throw new Failure(`There is no user ${login}`, 1)
  await factorStore(database).reset(commandActor('user:reset-factors'), id)
}
