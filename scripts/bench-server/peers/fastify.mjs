import { fastifyServer } from './fastify-app.mjs'

export const server = await fastifyServer(false)
