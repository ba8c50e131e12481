import type { Database } from '../../database/database.js'
import type { Actor } from '../audit.js'
import { fromRowId, toRowId } from '../identifier.js'
import { changing, forgetCodesWithoutFactor } from './factors.js'

/** A stored passkey. */
export interface PasskeyRecord {
  readonly id: number
  readonly userId: number
  readonly name: string
  /** Base64url. */
  readonly credentialId: string
  readonly publicKey: Uint8Array
  /** Signatures so far; many authenticators leave it at 0. */
  readonly counter: number
  readonly transports: readonly string[]
  /** The host name that it belongs to. */
  readonly rpId: string
  /** UTC datetimes. */
  readonly createdAt: string
  readonly lastUsedAt: string | undefined
}

export type NewPasskey = Pick<
  PasskeyRecord,
  'name' | 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'rpId'
>

/** The passkeys of users. Every change has its entry in the audit trail. */
export interface PasskeyStore {
  /** Oldest first. */
  list(userId: number): Promise<readonly PasskeyRecord[]>
  find(credentialId: string): Promise<PasskeyRecord | undefined>
  /** False: it is stored already, or the user has as many as a user may have. */
  add(actor: Actor, userId: number, passkey: NewPasskey): Promise<boolean>
  remove(actor: Actor, userId: number, id: number): Promise<boolean>
  /** Spends the challenge and stores the counter. False: the challenge was spent before. */
  used(id: number, counter: number, challenge: Uint8Array): Promise<boolean>
}

/** A user has at most as many passkeys. */
export const mostPasskeys = 20

export function passkeyStore(database: Database): PasskeyStore {
  return {
    async list(userId) {
      const rows = await database.query<PasskeyRow>(
        `select ${columns} from passkeys where user_id = $1::bigint order by id`,
        [toRowId(userId) ?? '0'],
      )
      return rows.map(toPasskey)
    },
    async find(credentialId) {
      const [row] = await database.query<PasskeyRow>(
        `select ${columns} from passkeys where credential_id = $1`,
        [credentialId],
      )
      return row && toPasskey(row)
    },
    add: (actor, userId, { name, credentialId, publicKey, counter, transports, rpId }) =>
      changing(database, actor, userId, null, { passkey: name }, (transaction) =>
        transaction.query(
          `insert into passkeys (user_id, name, credential_id, public_key, counter, transports, rp_id)
            select $1::bigint, $2, $3, $4::bytea, $5::bigint, $6, $7
              where (select count(*) from passkeys where user_id = $1::bigint) < ${mostPasskeys}
            on conflict do nothing returning id`,
          [String(userId), name, credentialId, publicKey, String(counter), transports.join(' '), rpId],
        ),
      ),
    async remove(actor, userId, id) {
      const [row] = await database.query<{ name: string }>(
        'select name from passkeys where id = $1::bigint and user_id = $2::bigint',
        [toRowId(id) ?? '0', String(userId)],
      )
      if (row === undefined) return false
      return await changing(database, actor, userId, { passkey: row.name }, null, async (transaction) => {
        const removed = await transaction.query(
          'delete from passkeys where id = $1::bigint and user_id = $2::bigint returning id',
          [String(id), String(userId)],
        )
        await forgetCodesWithoutFactor(transaction, userId)
        return removed
      })
    },
    used: (id, counter, challenge) =>
      database.transaction(async (transaction) => {
        await transaction.query("delete from spent_challenges where spent_at < now() - interval '10 minutes'")
        const spent = await transaction.query(
          'insert into spent_challenges (digest) values (sha256($1::bytea)) on conflict do nothing returning digest',
          [challenge],
        )
        if (spent.length === 0) return false
        await transaction.query(
          `update passkeys set counter = greatest(counter, $2::bigint), last_used_at = now() where id = $1::bigint`,
          [String(id), String(counter)],
        )
        return true
      }),
  }
}

const columns = `id, user_id, name, credential_id, public_key, counter, transports, rp_id, created_at, last_used_at`

interface PasskeyRow {
  readonly id: string
  readonly user_id: string
  readonly name: string
  readonly credential_id: string
  readonly public_key: Uint8Array
  readonly counter: string
  readonly transports: string
  readonly rp_id: string
  readonly created_at: string
  readonly last_used_at: string | null
}

function toPasskey(row: PasskeyRow): PasskeyRecord {
  return {
    id: fromRowId(row.id),
    userId: fromRowId(row.user_id),
    name: row.name,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    counter: Number(row.counter),
    transports: row.transports === '' ? [] : row.transports.split(' '),
    rpId: row.rp_id,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at ?? undefined,
  }
}
