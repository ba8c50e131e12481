import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { generate } from '../scenarios/scenario.js'

const folder = fileURLToPath(new URL('.', import.meta.url))
const made: string[] = []

afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true })
})

/** What the strict compiler says about a document's output and a file next to it. */
const errorsOf = (compiler: string, document: string, beside = '') =>
  errorsOfAll(compiler, { [document]: beside })

/** What the compiler says about several documents' outputs. One process reads the libraries once. */
async function errorsOfAll(compiler: string, documents: Readonly<Record<string, string>>): Promise<string> {
  mkdirSync(join(folder, '.data'), { recursive: true })
  const directory = mkdtempSync(join(folder, '.data', 'types-'))
  made.push(directory)
  for (const [document, beside] of Object.entries(documents)) {
    const { files, diagnostics } = await generate(readFileSync(join(folder, document), 'utf8'))
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    const target = join(directory, document)
    mkdirSync(target)
    for (const [path, text] of files) writeFileSync(join(target, path), text)
    writeFileSync(join(target, 'team.ts'), beside)
  }
  const compilerOptions = { rootDir: '.', noEmit: true, composite: false, declaration: false }
  const config = { extends: resolve('tsconfig.base.json'), compilerOptions, include: ['*/*.ts'] }
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(config))
  const args = [resolve(`node_modules/${compiler}/bin/tsc`), '-p', directory]
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return stdout.replaceAll(/^.*team\.ts/gm, 'team.ts').trim()
}

const documents = { 'kitchen-sink.yaml': '', 'vendors.yaml': '', 'credentials.yaml': '' }
test('every document generates what compiles', async () => {
  expect(await errorsOfAll('typescript7', documents)).toBe('')
})
test('every document generates what compiles under 5.9', { tags: 'long' }, async () => {
  expect(await errorsOfAll('typescript', documents)).toBe('')
})

test('handlers and callers are typed: files, pieces, statuses', async () => {
  const handlers = `
import type { FilesHandlers, EventsHandlers, JobsHandlers, NotesHandlers } from './handlers.js'
import type { Client } from './client.js'

export const files: FilesHandlers<string> = {
  get: () => new Uint8Array([1]),
  replace: ({ body }) => body.size,
  upload: async ({ file, pages }) => [await file.text(), pages?.length],
}
export const events: EventsHandlers<string> = {
  stream: async function* () {
    yield { n: 1 }
    yield new Uint8Array()
  },
}
export const notes: NotesHandlers<string> = { replace: ({ body }) => body }
export const jobs: JobsHandlers<string> = {
  start(_, { reply }) {
    reply.status(202).header('Location', '/jobs/1')
    return { job: '1' }
  },
}
export async function call(client: Client) {
  await client.files.upload({ file: new Uint8Array(), icon: new Blob([]) })
  const file: Blob = await client.files.get({ name: 'x' })
  const text: string = await client.call('events.stream', {})
  for await (const piece of client.events.stream({ count: 1 })) Object.keys(piece)
  const { data, headers } = await client.files.get.withResponse({ name: 'x' })
  const tag: string | undefined = headers.ETag
  const some: 200 | 302 | 304 | undefined = (await client.cached.get.withResponse({ state: 'fresh' })).status
  return [file, text, data, some, tag]
}
export const wrong: JobsHandlers<string> = {
  start(_, { reply }) {
    reply.status(500)
    return null
  },
}
export const failing: NotesHandlers<string> = {
  replace({ body }, { reply }) {
    reply.status(402)
    return body
  },
}
`
  const errors = await errorsOf('typescript7', 'kitchen-sink.yaml', handlers)
  expect(errors.split('\n')).toEqual(
    ['500', '402'].map((status) =>
      expect.stringMatching(
        `^team\\.ts\\(\\d+,\\d+\\): error TS2345: Argument of type '${status}' is not assignable to parameter of type '[^\\n]*'\\.$`,
      ),
    ),
  )
})

const narrowing = `
import type { Client } from './client.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const holds = <Claim extends true>(claim?: Claim) => claim

export async function start(client: Client) {
  const { data, status, headers } = await client.jobs.start.withResponse({ wait: false })
  if (status === 202) {
    const job: string = data.job
    const place: string | undefined = headers.Location
    return [job, place]
  }
  if (status === 204) return holds<Equal<typeof data, null>>()
  if (status === undefined) {
    holds<Equal<typeof data, { done: boolean } | { job: string } | null>>()
    return headers.Location
  }
  holds<Equal<typeof status, 200>>()
  // @ts-expect-error: only 202 has a place
  headers.Location
  return data.done
}
export async function either(client: Client) {
  const response = await client.jobs.start.withResponse()
  switch (response.status) {
    case 200:
      return response.data.done
    case 202:
      return response.data.job
    case 204:
      return response.data === null
    case undefined:
      return response.rawHeaders.get('Location')
  }
}
export async function one(client: Client) {
  const { data, status } = await client.notes.replace.withResponse({ body: 'a' })
  return holds<Equal<[typeof data, typeof status], [string, 200]>>()
}
export async function pieces(client: Client) {
  const { data, status, headers } = await client.changes.watch.withResponse()
  for await (const piece of data) piece.toFixed()
  // @ts-expect-error: only 202 has it
  headers['Retry-After']
  return status === 202 ? headers['Retry-After']?.toFixed() : undefined
}
export async function wrong(client: Client) {
  const response = await client.jobs.start.withResponse()
  // @ts-expect-error: it may have been another status
  response.data.job
  // @ts-expect-error: no success has this status
  return response.status === 201
}
`

test('the status of a response narrows its data and headers', async () => {
  expect(await errorsOf('typescript7', 'kitchen-sink.yaml', narrowing)).toBe('')
})
test('the status of a response narrows its data and headers under 5.9', { tags: 'long' }, async () => {
  expect(await errorsOf('typescript', 'kitchen-sink.yaml', narrowing)).toBe('')
})

test('a client accepts only credentials of its security schemes', async () => {
  const team = `
import {
  ambient, apiKey, authorization, basic, bearer, type CallOptions, createClient, renewingToken, rest,
} from './client.js'

const transport = rest('http://service.test')
const renewing = renewingToken({ obtain: async () => ({ token: 't', expiresAt: 0 }) })
export const client = createClient({
  transport,
  auth: {
    'app-id': apiKey('a'),
    query: apiKey(async () => 'q'),
    session: ambient,
    user: basic('u', 'p'),
    token: bearer(() => 't'),
    petstore_auth: renewing,
    oidc: undefined,
    signature: authorization('s'),
    tls: ambient,
  },
})
createClient({ transport, auth: bearer('t') })
createClient({ transport, auth: basic('u', 'p') })
const options: CallOptions = { auth: { token: renewing } }
client.app.get({}, options)
client.call('pets.get', {}, { auth: false })
// @ts-expect-error: no such scheme
createClient({ transport, auth: { petstore: bearer('t') } })
// @ts-expect-error: a token is no key
createClient({ transport, auth: { query: bearer('t') } })
// @ts-expect-error: a key is no token
createClient({ transport, auth: { petstore_auth: apiKey('t') } })
// @ts-expect-error: a header comes from no browser
createClient({ transport, auth: { 'app-id': ambient } })
// @ts-expect-error: which of the two keys
createClient({ transport, auth: apiKey('t') })
// @ts-expect-error: no such scheme
client.app.get({}, { auth: { petstore: bearer('t') } })
// @ts-expect-error: a token is no key
client.call('app.get', {}, { auth: { query: bearer('t') } })
`
  expect(await errorsOf('typescript7', 'credentials.yaml', team)).toBe('')
})
