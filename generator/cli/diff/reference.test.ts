import { mkdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { cwd, projectForEachTest, write } from '../../../test/duet-project.js'
import { runDuet } from '../../../test/in-process.js'

projectForEachTest()

function api(title: string, version: string, maximum: number): string {
  return `openapi: 3.1.1
info: { title: ${title}, version: ${version} }
paths:
  /orders:
    get:
      operationId: listOrders
      parameters:
        - { name: limit, in: query, schema: { type: integer, maximum: ${maximum} } }
      responses: { 200: { description: Fine } }
`
}

/** A project whose generated version 1.0.0 has a name of its own for the operation. */
function generated(): void {
  mkdirSync(`${cwd}/generated/1.0.0/reference`, { recursive: true })
  write('generated/1.0.0/reference/index.html', '')
  write('generated/1.0.0/reference/orders.html', '')
  const document = { path: 'openapi.yaml', title: 'Shop', version: '1.0.0' }
  const named = { name: 'orders.look', method: 'GET', path: '/orders', operationId: 'listOrders' }
  const naming = { strategy: 'operationId', operations: [named] }
  write('generated/1.0.0/manifest.json', JSON.stringify({ document, naming, outputs: [] }))
}

async function reviewed(title: string): Promise<{ page: string; operation: string }> {
  write('old.yaml', api(title, '1.0.0', 1000))
  write('new.yaml', api(title, '1.1.0', 100))
  const diff = ['diff', 'old.yaml', 'new.yaml', '--fail-on', 'none', '--format']
  const { out: page } = await runDuet(cwd, [...diff, 'html'])
  const { out } = await runDuet(cwd, [...diff, 'json'])
  return { page, operation: JSON.parse(out).changes[0].operation }
}

it('A review links to the generated reference of the same API, and names operations as that', async () => {
  generated()
  const { page, operation } = await reviewed('Shop')
  expect(page).toContain('href="generated/1.0.0/reference/index.html"')
  expect(page).toContain('href="generated/1.0.0/reference/orders.html#orders.look"')
  expect(operation).toBe('orders.look')
})

it('A review of another API has no links to the reference, and names operations by their ids', async () => {
  generated()
  const { page, operation } = await reviewed('Library')
  expect(page).not.toContain('generated/1.0.0')
  expect(operation).toBe('orders.list')
})

it('A review does not link to pages that the reference lacks', async () => {
  generated()
  mkdirSync(`${cwd}/generated/1.1.0/reference`, { recursive: true })
  write('generated/1.1.0/reference/index.html', '')
  const document = { path: 'openapi.yaml', title: 'Shop', version: '1.1.0' }
  write('generated/1.1.0/manifest.json', JSON.stringify({ document, outputs: [] }))
  const { page } = await reviewed('Shop')
  expect(page).toContain('href="generated/1.1.0/reference/index.html"')
  expect(page).not.toContain('generated/1.1.0/reference/orders.html')
})

it("A project's document keeps its names under a new title", async () => {
  generated()
  write('spec/1.1.0/openapi.yaml', api('Store', '1.1.0', 10))
  write('new.yaml', api('Store', '1.2.0', 100))
  const { out } = await runDuet(cwd, ['diff', '1.1.0', 'new.yaml', '--format', 'json'])
  expect(JSON.parse(out).changes[0].operation).toBe('orders.look')
})
