import type { Bound } from '../contract/bound.js'
import type { CallOrigin } from './call-context.js'
import type { Procedure } from './procedure.js'

/** Sees the calls whose params are valid. */
export interface Watcher<Principal> {
  /**
   * Sees a call before its params are validated, which fills in defaults. Undefined, or what to give to `accepted`.
   */
  bound(caller: CallOrigin, bound: Bound): unknown
  /** Sees a call that the handler is about to receive. */
  accepted(procedure: Procedure, caller: CallOrigin, principal: Principal | undefined, seen: unknown): void
}
