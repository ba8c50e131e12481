// @module-tag long

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cwd, projectForEachTest, read, write } from '../../../test/duet-project.js'
import { runDuet } from '../../../test/in-process.js'

projectForEachTest()

function shop(version: string, paths: readonly string[]): string {
  const items = paths.map((path) => [
    path,
    { get: { operationId: `items.get${path.slice(1)}`, responses: ok } },
  ])
  return JSON.stringify({
    openapi: '3.1.1',
    info: { title: 'Shop', version },
    paths: Object.fromEntries(items),
  })
}

const ok = { 200: { description: 'ok', content: { 'application/json': { schema: { type: 'string' } } } } }
const generate = (...args: string[]) => runDuet(cwd, ['generate', ...args])
const index = (version: string): string => read(`generated/${version}/reference/index.html`)

it('lists the other versions, and is omitted if the config file says so', async () => {
  write('spec/1.0.0/openapi.yaml', shop('1.0.0', ['/a', '/b']))
  write('spec/2.0.0/openapi.yaml', shop('2.0.0', ['/a']))
  expect((await generate()).code).toBe(0)
  expect(index('2.0.0')).toContain('Changed since 1.0.0')
  expect(index('2.0.0')).toContain('items.getb')
  expect(index('1.0.0')).toContain('../../2.0.0/reference/index.html')
  expect(index('1.0.0')).not.toContain('Changed since')

  // A single document generates the same as among all.
  expect((await generate('1.0.0')).out).toContain('0 files written')

  // The previous version has changed.
  write('spec/1.0.0/openapi.yaml', shop('1.0.0', ['/a']))
  await generate()
  expect(index('2.0.0')).toContain('Nothing has changed.')

  write('duet.config.json', '{ "package": "@shop/api", "reference": false }')
  await generate()
  expect(existsSync(join(cwd, 'generated/1.0.0/reference'))).toBe(false)
  expect((await generate('--check')).code).toBe(0)
})
