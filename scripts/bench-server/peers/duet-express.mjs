import { createServer } from 'node:http'
import express from 'express'
import { api } from './duet-api.mjs'

const app = express()
app.use(api.express())

export const server = createServer(app)
