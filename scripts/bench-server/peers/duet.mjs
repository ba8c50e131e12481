import { createServer } from 'node:http'
import { api } from './duet-api.mjs'

export const server = createServer(api.node())
