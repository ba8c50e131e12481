import type { RequestListener } from 'node:http'
import * as v1 from '#v1'
import * as v2 from '#v2'
import { handlers } from './handlers.js'

const older = v1.createApi({ handlers: handlers.v1 })
const newest = v2.createApi({ handlers: handlers.v2 })

/** Each version is below the path of its document's server: /v1 and /v2, over REST and JSON-RPC. */
export const listener: RequestListener = newest.node({ fallback: older.node() })
