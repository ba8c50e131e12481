import { createServer } from 'node:http'
import { contract } from '@billing/api/1.0.0'
import { createVersions } from 'duet-runtime'
import { options } from './duet-api.mjs'

/** A version whose operations are all those of the next one. */
const versions = createVersions({
  ...options,
  versions: [{ contract }, { contract: { ...contract, version: '1.0.1' } }],
  adapters: {
    '1.0.0': Object.fromEntries(Object.keys(contract.operations).map((name) => [name, 'identity'])),
  },
  defaultVersion: '1.0.0',
})

export const server = createServer(versions.node())
