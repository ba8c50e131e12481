import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { ApiKeyVault } from '../identity/api-key.js'
import type { Sealer } from '../identity/sealer.js'
import type { StepSigner } from '../identity/step-signer.js'
import type { Admission } from '../limits/admission.js'
import type { TrustedProxies } from '../limits/client-address.js'
import type { Actor, AuditStore } from '../storage/tables/audit.js'
import type { AccountStore } from '../storage/tables/identity/accounts.js'
import type { AdminSessionStore } from '../storage/tables/identity/admin-sessions.js'
import type { ApiKeyStore } from '../storage/tables/identity/api-keys.js'
import type { FactorStore } from '../storage/tables/identity/factors.js'
import type { PasskeyStore } from '../storage/tables/identity/passkeys.js'
import type { SignInUser, User } from '../storage/tables/identity/users.js'
import type { ResellerStore } from '../storage/tables/resellers.js'
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
  /** The active user with this id. */
  readonly userOf: (id: number) => Promise<SignInUser | undefined>
  readonly keys: ApiKeyStore
  readonly factors: FactorStore
  readonly passkeys: PasskeyStore
  readonly vault: ApiKeyVault
  readonly sealer: Sealer
  readonly signer: StepSigner
  readonly verify: Admission['verify']
  readonly attempt: Admission['attempt']
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
  /** Scheme, host and port under which the browser has the pages. */
  readonly origin: string
}

/** A request of a signed-in user. */
export interface SignedIn extends Visit {
  readonly user: User
  readonly isAdmin: boolean
  readonly actor: Actor
  readonly sessionId: string
  /** Whether the user proved to be the one a short time ago. */
  readonly isFresh: boolean
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
      /** Shows why an earlier request was refused. The log has that one alone. */
      readonly isAgain?: boolean
    }
  | {
      readonly to: string
      readonly headers?: OutgoingHttpHeaders
      /** Of the refusal that the next page shows. */
      readonly status?: number
    }
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

export const noSuchPage = message(
  404,
  'Page not found',
  'There is no page at this address, or your role may not see it.',
)
