import type { Contract, Validator } from '../../contract/contract.js'
import type { Procedure } from '../../server/procedure.js'

export const DISCOVER = 'rpc.discover'

/** `rpc.discover` of OpenRPC: returns the service's OpenRPC document to any caller. Builds its text once. */
export function discoverProcedure(contract: Contract): Procedure {
  let text: string | undefined
  return {
    operation: {
      name: DISCOVER,
      source: '',
      rest: { method: 'POST', path: '/', parameters: [], status: 200 },
      rpc: DISCOVER,
      security: [],
      errors: [],
      idempotent: true,
      datetimes: {},
    },
    validators: { params: anything, result: anything },
    handle: contract.openrpc,
    alternatives: [],
    secured: false,
    stringify: (document) => {
      text ??= JSON.stringify(document)
      return text
    },
  }
}

const anything: Validator = () => true
