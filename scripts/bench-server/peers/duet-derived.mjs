import { createServer } from 'node:http'
import * as v1_0 from '@billing/api/1.0.0'
import * as v1_1 from '@billing/api/1.1.0'
import { createVersions } from 'duet-runtime'
import { client } from '../jobs.mjs'
import { options } from './duet-api.mjs'

const current = { ...client, version: '1' }

/** As `updateClient`, with the version that 1.1.0 adds. @param {{ id: number, credit?: number }} params */
function update({ id, credit }) {
  if (id !== current.id) throw new Error(`No client ${id}`)
  return { ...current, ...(credit !== undefined && { credit }) }
}

/** A version whose results lack a member of the next one's. */
const versions = createVersions({
  ...options,
  handlers: { ...options.handlers, clients: { update } },
  versions: [v1_0, v1_1],
  adapters: {
    '1.0.0': {
      'clients.update': {
        /** @param {any} client */
        result: ({ version: _, ...client }) => client,
      },
    },
  },
  defaultVersion: '1.0.0',
})

export const server = createServer(versions.node())
