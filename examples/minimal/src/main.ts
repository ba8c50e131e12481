import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApi } from '#api'
import { handlers } from './handlers.js'

const server = createServer(createApi({ handlers }).node())
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(`REST and JSON-RPC 2.0 at http://127.0.0.1:${port}`)
})
