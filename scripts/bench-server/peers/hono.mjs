import { createAdaptorServer } from '@hono/node-server'
import { fetch } from './hono-app.mjs'

export const server = createAdaptorServer({ fetch })
