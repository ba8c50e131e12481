import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { ApiKeyVault } from '../identity/api-key.js'
import type { Admission } from '../limits/admission.js'
import type { TrustedProxies } from '../limits/client-address.js'
import type { AccountStore } from '../storage/tables/accounts.js'
import type { AdminSessionStore } from '../storage/tables/admin-sessions.js'
import type { Actor, AuditStore } from '../storage/tables/audit.js'
import type { ResellerStore } from '../storage/tables/resellers.js'
import type { User } from '../storage/tables/users.js'
import type { UsageArea } from '../usage/area.js'
import type { Overview } from '../usage/overview.js'

/** The dependencies of the pages of the administration area. */
export interface Area {
  readonly accounts: AccountStore
  readonly resellers: ResellerStore
  readonly sessions: AdminSessionStore
  /**
   * The open session of a token. This counts as a use of the session.
   * @throws ProblemError `rate_limited` after too many tries of an address
   */
  readonly sessionOf: (request: IncomingMessage, token: string) => ReturnType<AdminSessionStore['use']>
  readonly audit: AuditStore
  readonly findLogin: (login: string) => Promise<number | undefined>
  readonly vault: ApiKeyVault
  readonly verify: Admission['verify']
  readonly usage: UsageArea
  readonly overview: Overview
  /** IANA name. */
  readonly systemTimezone: string
  readonly trustedProxies: TrustedProxies
}

/** An anonymous request. */
export interface Visit {
  readonly request: IncomingMessage
  readonly query: URLSearchParams
  /** Empty but for POST. */
  readonly form: URLSearchParams
  /** Parameters of the path: the named groups of the route's pattern. */
  readonly named: Readonly<Record<string, string>>
  /** The actor of a change by this user. */
  readonly actorOf: (user: { readonly id: number; readonly resellerId: number | null }) => Actor
  /** Whether the caller's own connection is encrypted. */
  readonly isSecure: boolean
}

/** A request of a signed-in user. */
export interface SignedIn extends Visit {
  readonly user: User
  readonly isAdmin: boolean
  readonly actor: Actor
  readonly sessionId: string
  /** SHA-256 of the session's token. */
  readonly digest: Uint8Array
  /** IANA name of the zone for displayed times. */
  readonly timezone: string
}

/** A page, a redirect or a CSV file to save. */
export type PageResult =
  | {
      readonly page: string
      readonly title: string
      readonly data: object
      /** Default: 200. */
      readonly status?: number
      readonly headers?: OutgoingHttpHeaders
    }
  | { readonly to: string; readonly headers?: OutgoingHttpHeaders }
  | { readonly file: CsvFile; readonly headers?: OutgoingHttpHeaders }

interface CsvFile {
  /** Plain characters, with the extension. */
  readonly name: string
  readonly text: string
}

/** A page with a title and a text. */
export function message(status: number, title: string, text: string): PageResult {
  return { page: 'message', title, status, data: { text } }
}

export const noSuchPage = message(404, 'No such page', 'This page does not exist, or you may not see it.')
