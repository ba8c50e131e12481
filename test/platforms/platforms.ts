import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** How one platform or framework serves `api`, which `app.js` exports. */
export interface Platform {
  /** Of npm, with exact versions. Binaries come as packages for this machine: nothing is downloaded by a script. */
  readonly packages: readonly string[]
  readonly main: { readonly name: string; readonly text: string }
  /** The command that serves until it is killed; it prints its port unless it is given one. */
  readonly command: (folder: string, port: number) => readonly string[]
  readonly config?: (port: number) => { readonly name: string; readonly text: string }
}

const node = (name: string) => () => [process.execPath, name]

/** The package of a scope that has the binary for this machine. */
function binary(folder: string, scope: string, path: string): string {
  const parent = join(folder, 'node_modules', scope)
  const [name = ''] = readdirSync(parent).filter((each) => !/musl|baseline/.test(each))
  return join(parent, name, path)
}

const machine = `${process.platform}-${process.arch}`

function nodeOf(version: string): Platform {
  const [major] = version.split('.')
  return {
    packages: [`node${major}@npm:node-${machine}@${version}`],
    main: {
      name: 'node.cjs',
      text: `const { createServer } = require('node:http')
const { api } = require('./app.js')
const server = createServer(api.node()).listen(0, '127.0.0.1', () => console.log(server.address().port))
`,
    },
    command: (folder) => [join(folder, `node_modules/node${major}/bin/node`), 'node.cjs'],
  }
}

export const platforms: Readonly<Record<string, Platform>> = {
  'Node.js 20': nodeOf('20.19.5'),
  'Node.js 24': nodeOf('24.11.1'),
  'Node.js by fetch': {
    packages: [],
    main: {
      name: 'node-fetch.js',
      text: `import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { api } from './app.js'
const server = createServer(async (incoming, outgoing) => {
  const { method, headersDistinct, socket, url } = incoming
  const headers = new Headers()
  for (const [name, values] of Object.entries(headersDistinct)) for (const value of values) headers.append(name, value)
  const body = method === 'GET' || method === 'HEAD' ? undefined : Readable.toWeb(incoming)
  const request = new Request(new URL(url, 'http://localhost'), { method, headers, body, duplex: 'half' })
  const response = await api.fetch(request, { address: socket.remoteAddress })
  outgoing.writeHead(response.status, [...response.headers].flat())
  if (response.body === null) outgoing.end()
  else Readable.fromWeb(response.body).on('error', (error) => outgoing.destroy(error)).pipe(outgoing)
}).listen(0, '127.0.0.1', () => console.log(server.address().port))
`,
    },
    command: node('node-fetch.js'),
  },
  Bun: {
    packages: ['bun@1.4.5'],
    main: {
      name: 'bun.js',
      text: `import { api } from './app.js'
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: (request, server) => api.fetch(request, { address: server.requestIP(request)?.address }),
})
console.log(server.port)
`,
    },
    command: (folder) => [binary(folder, '@oven', 'bin/bun'), 'bun.js'],
  },
  Deno: {
    packages: ['deno@2.9.6'],
    main: {
      name: 'deno.js',
      text: `import { api } from './app.js'
Deno.serve(
  { hostname: '127.0.0.1', port: 0, onListen: ({ port }) => console.log(port) },
  (request, { remoteAddr }) => api.fetch(request, { address: remoteAddr.hostname }),
)
`,
    },
    command: (folder) => [
      binary(folder, '@deno', 'deno'),
      ...['run', '--no-remote', '--no-lock', '--node-modules-dir=manual'],
      ...['--allow-net', '--allow-read', '--allow-env', 'deno.js'],
    ],
  },
  workerd: {
    packages: ['workerd@1.20261117.1'],
    main: {
      name: 'worker.js',
      text: `import { api } from './app-bundled.js'
export default {
  fetch: (request) => api.fetch(request, { address: request.headers.get('CF-Connecting-IP') ?? undefined }),
}
`,
    },
    config: (port) => ({
      name: 'config.capnp',
      text: `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [
      (name = "worker.js", esModule = embed "worker.js"),
      (name = "app-bundled.js", esModule = embed "app-bundled.js"),
    ],
    compatibilityDate = "2025-10-01",
    compatibilityFlags = ["nodejs_compat"],
  ))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`,
    }),
    command: (folder) => [binary(folder, '@cloudflare', 'bin/workerd'), 'serve', 'config.capnp'],
  },
  Hono: {
    packages: ['hono@4.13.19', '@hono/node-server@2.1.8', '@hono/standard-validator@0.4.0'],
    main: {
      name: 'hono.js',
      text: `import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { api } from './app.js'
const app = new Hono()
app.all('/api/v2/*', (context) => api.fetch(context.req.raw))
app.all('/api/v2', (context) => api.fetch(context.req.raw))
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(port))
`,
    },
    command: node('hono.js'),
  },
  Fastify: {
    packages: ['fastify@5.12.8'],
    main: {
      name: 'fastify.js',
      text: `import Fastify from 'fastify'
import { api } from './app.js'
const app = Fastify()
app.register(api.fastify(), { prefix: '/api/v2' })
await app.listen({ host: '127.0.0.1', port: 0 })
console.log(app.server.address().port)
`,
    },
    command: node('fastify.js'),
  },
  'Express 4': {
    packages: ['express4@npm:express@4.22.3'],
    main: {
      name: 'express4.js',
      text: `import express from 'express4'
import { keepRawBody } from 'duet-runtime'
import { api } from './app.js'
const app = express()
app.use(express.json({ verify: keepRawBody }))
app.use(api.express())
const server = app.listen(0, '127.0.0.1', () => console.log(server.address().port))
`,
    },
    command: node('express4.js'),
  },
  Nest: {
    packages: [
      ...['@nestjs/common@11.1.9', '@nestjs/core@11.1.9', '@nestjs/platform-express@11.1.9'],
      ...['reflect-metadata@0.2.2', 'rxjs@7.8.2'],
    ],
    main: {
      name: 'nest.js',
      text: `import 'reflect-metadata'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { api } from './app.js'
class AppModule {}
Module({})(AppModule)
const app = await NestFactory.create(AppModule, { bodyParser: false, logger: false })
app.use(api.express({ fallthrough: true }))
await app.listen(0, '127.0.0.1')
console.log(app.getHttpServer().address().port)
`,
    },
    command: node('nest.js'),
  },
}
