import type * as v1_0 from '@billing/api/1.0.0'
import type * as v1_1 from '@billing/api/1.1.0'
import type * as v2_0 from '@billing/api/2.0.0-rc.1'
import type { Principal } from '../identity/principal.js'

export type { Client as Client1_0, ClientsHandlers as Clients1_0Handlers } from '@billing/api/1.0.0'
export type { IamAuthJwtHandlers, Token } from '@billing/api/1.1.0'
/**
 * The handlers that the newest version requires for each namespace. For a removed namespace, those of its last
 * version.
 */
export type {
  AccountingCurrenciesHandlers,
  Client,
  ClientsHandlers,
  LnpGatewaysHandlers,
} from '@billing/api/2.0.0-rc.1'

/** The handlers that each version requires. */
export type HandlersByVersion = {
  readonly '1.0.0': v1_0.Handlers<Principal>
  readonly '1.1.0': v1_1.Handlers<Principal>
  readonly '2.0.0-rc.1': v2_0.Handlers<Principal>
}

export type Handlers = HandlersByVersion[keyof HandlersByVersion]
