import type { RequestListener } from 'node:http'
import { createVersions } from 'duet-runtime'
import * as v1 from '#v1'
import * as v2 from '#v2'
import { adapter } from './adapters.js'
import { handlers } from './handlers.js'

const versions = createVersions({ versions: [v1, v2], handlers, adapters: { '1.0.0': adapter } })

/** Both versions, over REST and JSON-RPC. */
export const listener: RequestListener = versions.node()
