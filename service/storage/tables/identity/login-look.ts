import type { Queryable } from '../../database/database.js'

/**
 * The login of another user that is this one or looks like it: in another case, or with letters of another alphabet.
 * Users are created and renamed one after the other until the transaction ends.
 * @param except the row id of the user that may have it
 */
export async function loginLike(
  transaction: Queryable,
  login: string,
  except = '0',
): Promise<string | undefined> {
  await transaction.query(`select pg_advisory_xact_lock(${loginLock})`)
  const [row] = await transaction.query<{ login: string }>(
    'select login from users where login_look(login) = login_look($1) and id <> $2::bigint order by login <> $1 limit 1',
    [login, except],
  )
  return row?.login
}

// A number that no other program is likely to lock: 'logn' in ASCII.
const loginLock = 0x6c6f676e
