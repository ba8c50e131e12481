import { createServer } from 'node:http'
import * as next from '@billing/api/1.1.0'
import { options } from './duet-api.mjs'

// Version 1.0.0, whose calls are all tried on 1.1.0 once they are answered, and counted.
const { createApi } = await import('@billing/api/1.0.0')

const api = createApi({
  ...options,
  shadow: {
    next,
    ledger: { record: () => {} },
    consumer: (/** @type {{ user: string }} */ { user }) => user,
    salt: 'bench',
    intervalMs: 1000,
  },
})

export const server = createServer(api.node())
