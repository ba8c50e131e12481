import type { Handlers as NewestHandlers } from '@billing/api/2.0.0-rc.1'
import type { Principal } from '../identity/principal.js'

export type {
  AccountingCurrenciesHandlers,
  ClientsHandlers,
  LnpGatewaysHandlers,
} from '@billing/api/2.0.0-rc.1'

/** The handlers of the newest version. Adapters serve the older ones with them. */
export type Handlers = NewestHandlers<Principal>
