import { expect, it } from 'vitest'
import { sidesOf } from '../../../test/diff/compared.js'

const start = 'packages.getAllPackageVersionsForPackageOwnedByAuthenticatedUser'

it('a derived name of a tool that is too long is cut, and stays unique', async () => {
  const path = (end: string) =>
    `  /${end}: { get: { operationId: ${start}${end}, x-mcp: true, responses: { 200: { description: Fine } } } }\n`
  const text = `openapi: 3.1.1\ninfo: { title: A, version: 1.0.0 }\npaths:\n${path('One')}${path('Two')}`
  const [side] = await sidesOf(text, text)
  const names = side.endpoints.map(({ modelled }) => modelled?.tool?.name ?? '')
  expect(new Set(names).size).toBe(2)
  for (const name of names) expect(name).toMatch(/^packages_getAllPackageVersions\w{1,32}_[0-9a-f]{6}$/)
})
