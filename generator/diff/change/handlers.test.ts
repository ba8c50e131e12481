import { describe, expect, it } from 'vitest'
import { handlersLine, reachesHandler } from './handlers.js'

describe('a handler', () => {
  it.each([
    ['endpoint-added', 'compatible'],
    ['api-path-removed-without-deprecation', 'breaking'],
    ['rpc-method-renamed', 'breaking'],
    ['new-optional-request-parameter', 'compatible'],
    ['request-property-became-required', 'breaking'],
    ['request-property-type-changed', 'breaking'],
    ['response-optional-property-added', 'compatible'],
    ['response-required-property-removed', 'breaking'],
    ['api-security-removed', 'compatible'],
    ['request-property-max-increased', 'compatible'],
    ['response-property-max-length-decreased', 'compatible'],
    ['request-property-pattern-changed', 'breaking'],
    ['request-parameter-max-decreased', 'dangerous'],
  ] as const)('has to be looked at for %s (%s)', (id, level) => {
    expect(reachesHandler({ id, level })).toBe(true)
  })

  it.each([
    ['api-tag-added', 'info'],
    ['endpoint-path-changed', 'breaking'],
    ['endpoint-method-changed', 'breaking'],
    ['request-parameter-style-changed', 'breaking'],
    ['endpoint-deprecated-with-sunset', 'compatible'],
    ['request-property-deprecated', 'compatible'],
    ['api-stability-decreased', 'breaking'],
    ['api-sunset-date-changed-too-small', 'breaking'],
    ['request-parameter-max-decreased', 'breaking'],
    ['response-property-min-items-unset', 'breaking'],
  ] as const)('needs no edit for %s (%s)', (id, level) => {
    expect(reachesHandler({ id, level })).toBe(false)
  })

  it('is named once, with the file that scaffolding gives it', () => {
    const changes = [{ handlers: ['clients.update'] }, { handlers: ['clients.get', 'clients.update'] }]
    expect(handlersLine([...changes, { handlers: ['ping'] }])).toBe(
      'affected handlers: clients.get, clients.update (clients.ts), ping (default.ts)',
    )
    expect(handlersLine([{ handlers: [] }])).toBeUndefined()
  })

  it('is counted if there are many', () => {
    const handlers = Array.from({ length: 23 }, (_, index) => `a.m${String(index).padStart(2, '0')}`)
    expect(handlersLine([{ handlers }])).toMatch(/a\.m07 \(a\.ts\), and 15 more$/)
  })
})
