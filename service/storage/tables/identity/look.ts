import type { Queryable } from '../../database/database.js'

/**
 * The login of another user that is this one or looks like it: in another case, or with letters of another alphabet.
 * Users are created and renamed one after the other until the transaction ends.
 * @param except the row id of the user that may have it
 */
export function loginLike(transaction: Queryable, login: string, except = '0'): Promise<string | undefined> {
  return nameLike(transaction, 'users', 'login', loginLock, login, except)
}

/** The same for the name of a Reseller. */
export function resellerLike(
  transaction: Queryable,
  name: string,
  except = '0',
): Promise<string | undefined> {
  return nameLike(transaction, 'resellers', 'name', resellerLock, name, except)
}

async function nameLike(
  transaction: Queryable,
  table: string,
  column: string,
  lock: number,
  name: string,
  except: string,
): Promise<string | undefined> {
  await transaction.query(`select pg_advisory_xact_lock(${lock})`)
  const [row] = await transaction.query<{ name: string }>(
    `select ${column} as name from ${table}
      where login_look(${column}) = login_look($1) and id <> $2::bigint order by ${column} <> $1 limit 1`,
    [name, except],
  )
  return row?.name
}

// Numbers that no other program is likely to lock: 'logn' and 'rsel' in ASCII.
const loginLock = 0x6c6f676e
const resellerLock = 0x7273656c
