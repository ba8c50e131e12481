import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import * as next from '@billing/api/1.1.0'
import { options } from './duet-api.mjs'

// Version 1.0.0. Calls that 1.1.0 may refuse are tried on it once they are answered, and all are counted.
const { createApi } = await import('@billing/api/1.0.0')

const changes = new URL('../../../service/usage/1.0.0-to-1.1.0.json', import.meta.url)

const api = createApi({
  ...options,
  shadow: {
    next,
    changes: JSON.parse(readFileSync(changes, 'utf8')),
    ledger: { record: () => {} },
    consumer: (/** @type {{ user: string }} */ { user }) => user,
    salt: 'bench',
    intervalMs: 1000,
  },
})

export const server = createServer(api.node())
