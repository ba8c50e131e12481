import type { Contract } from '../../contract/contract.js'
import { deprecationHeaders } from '../../http/deprecation.js'
import { challengeOf } from '../../server/authenticate.js'
import type { Procedure } from '../../server/procedure.js'
import { isStreaming } from '../../server/result/media-result.js'
import { DISCOVER, discoverProcedure } from './discover.js'

export interface Method {
  readonly procedure: Procedure
  /** Whether its result may be a stream of pieces. */
  readonly streams: boolean
  /** Headers of the response to a single call. */
  readonly headers: Readonly<Record<string, string>>
  /** `WWW-Authenticate` of a 401. */
  readonly challenge: string | undefined
}

/**
 * The methods of a contract, by name. Section 4.3: names that begin with `rpc.` are reserved for the protocol. Throws an
 * Error for a method without an operation.
 */
export function methodsOf(
  contract: Contract,
  procedures: ReadonlyMap<string, Procedure>,
): ReadonlyMap<string, Method> {
  const methods = new Map<string, Method>()
  for (const [name, operation] of Object.entries(contract.methods)) {
    const procedure = procedures.get(operation.name)
    if (procedure === undefined) throw new Error(`The method ${name} leads to no operation of the contract`)
    if (name.startsWith('rpc.')) continue
    const challenge = challengeOf(procedure.alternatives, contract)
    methods.set(name, {
      procedure,
      streams: isStreaming(operation),
      headers: deprecationHeaders(operation),
      challenge,
    })
  }
  const discover = {
    procedure: discoverProcedure(contract),
    streams: false,
    headers: {},
    challenge: undefined,
  }
  return methods.set(DISCOVER, discover)
}
