import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runDuet } from '../in-process.js'

/** A project with two versions of a shop. */
export class Shop {
  readonly folder = mkdtempSync(join(tmpdir(), 'duet-adapt-'))

  constructor() {
    this.write('duet.config.json', '{ "package": "@shop/api" }')
    this.write('spec/1.0.0/openapi.yaml', older)
    this.write('spec/1.1.0/openapi.yaml', next)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true })
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true })
    writeFileSync(join(this.folder, path), text)
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8')
  }

  duet(...args: string[]) {
    return runDuet(this.folder, args)
  }

  adapt(...args: string[]) {
    return this.duet('adapt', '1.0.0', '1.1.0', ...args)
  }
}

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
