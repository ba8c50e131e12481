import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { runDuet } from '../in-process.js'

/** The folder of the running test's project: two versions of a shop. */
export let folder: string

/** A separate project for each test of the calling file. Registers the hooks. */
export function shopForEachTest(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'duet-adapt-'))
    write('duet.config.json', '{ "package": "@shop/api" }')
    write('spec/1.0.0/openapi.yaml', older)
    write('spec/1.1.0/openapi.yaml', next)
  })
  afterEach(() => rmSync(folder, { recursive: true }))
}

export function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

export const read = (path: string) => readFileSync(join(folder, path), 'utf8')
export const duet = (...args: string[]) => runDuet(folder, args)
export const adapt = (...args: string[]) => duet('adapt', '1.0.0', '1.1.0', ...args)
export const diff = (...args: string[]) => duet('diff', '1.0.0', '1.1.0', ...args)

export const answer = (members: string) =>
  `responses: { '200': { description: Fine, content: { application/json: { schema: { type: object, additionalProperties: false, required: [id], properties: { ${members} } } } } } }`

/** A step that has one operation of each kind. */
export const older = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /same: { get: { x-rpc-method: shop.same, responses: { '204': { description: Done } } } }
  /client: { get: { x-rpc-method: shop.client, ${answer('id: { type: integer }')} } }
  /clients:
    get:
      x-rpc-method: shop.search
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 1000, default: 20 } }
        - { name: name, in: query, schema: { type: string } }
      responses: { '204': { description: Done } }
  /token: { post: { x-rpc-method: shop.token, responses: { '204': { description: Done } } } }
`
export const next = older
  .replace('version: 1.0.0', 'version: 1.1.0')
  .replace(
    'properties: { id: { type: integer } }',
    'properties: { id: { type: integer }, version: { type: string } }',
  )
  .replace('maximum: 1000', 'maximum: 100')
  .replace(/ {2}\/token.*\n/, '')

export const team = 'adapters/1.0.0-to-1.1.0.ts'
export const derived = 'adapters/1.0.0-to-1.1.0.derived.ts'

export const check = 'adapters/1.0.0-to-1.1.0.check.ts'

/** What tries the team's file below. */
export const ownCheck = `import { adapterOf } from './1.0.0-to-1.1.0.js'
export const adapter = adapterOf(100)
`

/** A team's file that takes something from the service. */
export const own = `import { derived, type Written } from './1.0.0-to-1.1.0.derived.js'

export const adapterOf = (most: number) => {
  // Larger pages are cut.
  const written: Written = {
    'shop.search': { loss: 'a page has 100 rows', params: (params) => ({ ...params, limit: Math.min(params.limit, most) }) },
    'shop.token': { gone: 'not_found' },
  }
  return { ...derived, ...written }
}
`

/** A team's file with the entries of two operations. */
export const entries = (search: string, token = "{ gone: 'not_found' }"): string =>
  `import { derived, type Written } from './1.0.0-to-1.1.0.derived.js'
class ProblemError extends Error { name = 'ProblemError'; code = 'not_implemented' }
const fail = () => { throw new ProblemError('later') }
const written: Written = { 'shop.search': ${search}, 'shop.token': ${token} }
export const adapter = { ...derived, ...written }
`
