import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { compared } from '../../test/diff/compared.js'
import { objectOf } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject } from '../document/json.js'

const billing = fileURLToPath(new URL('../../spec/1.0.0/openapi.yaml', import.meta.url))
const document = parse(readFileSync(billing, 'utf8')) as JsonObject

it('finds no change if only the order of members differs', {
  tags: 'long',
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      expect((await compared(text(document), text(shuffled(document, seed)))).changes).toEqual([])
    }),
    { numRuns: 4 },
  )
})

it('finds no change if component schemas are renamed', async () => {
  const renamed = JSON.parse(
    text(document).replaceAll(/#\/components\/schemas\/([\w.-]+)/g, '#/components/schemas/Other$1'),
  )
  const { schemas } = renamed.components
  const others = Object.entries(schemas).map(([name, schema]) => [`Other${name}`, schema])
  renamed.components.schemas = Object.fromEntries(others)
  expect((await compared(text(document), text(renamed))).changes).toEqual([])
})

it('finds no change between equivalent schemas of 3.0 and 3.1', async () => {
  const old = shop('3.0.3', { type: 'integer', nullable: true, minimum: 0, exclusiveMinimum: true })
  const fresh = shop('3.1.1', { type: ['integer', 'null'], exclusiveMinimum: 0 })
  expect((await compared(old, fresh)).changes).toEqual([])
})

it('gives a change the same fingerprint on any line', async () => {
  const [old, fresh] = [shop('3.1.1', { type: 'integer' }), shop('3.1.1', { type: 'string' })]
  const [here, moved] = [await compared(old, fresh), await compared(`\n\n${old}`, `\n\n\n${fresh}`)]
  expect(here.changes).not.toEqual([])
  expect(moved.changes.map(({ fingerprint }) => fingerprint)).toEqual(
    here.changes.map(({ fingerprint }) => fingerprint),
  )
})

function text(value: Json): string {
  return JSON.stringify(value)
}

function shuffled(value: Json, seed: number): Json {
  if (isArray(value)) return value.map((item) => shuffled(item, seed))
  if (!isObject(value)) return value
  const key = (name: string): number => Math.sin(seed + name.length * 7 + (name.codePointAt(0) ?? 0))
  const entries = Object.entries(value).map(([name, item]) => [name, shuffled(item, seed)] as const)
  return objectOf(entries.sort(([a], [b]) => key(a) - key(b)))
}

function shop(openapi: string, schema: JsonObject): string {
  const content = { 'application/json': { schema } }
  const post = { requestBody: { content }, responses: { 200: { description: 'Fine', content } } }
  return text({ openapi, info: { title: 'Shop', version: '1.0.0' }, paths: { '/a': { post } } })
}
