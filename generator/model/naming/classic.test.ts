import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { nameOperations } from './names.js'
import type { NameSource } from './source.js'

const at = () => ({ file: 'openapi.yaml', line: 1, column: 1 })

function source(verb: string, path: string, method?: string, operationId?: string): NameSource {
  return { method, operationId, verb, path, at }
}

/** What each operation would be called if it were the only one. */
const wanted = [
  [source('get', '/users'), 'users.list'],
  [source('get', '/users/'), 'users.list'],
  [source('get', '/users/list/all'), 'users.list.all.list'],
  [source('post', '/user-names'), 'user_names.create'],
  [source('post', '/user_names'), 'user_names.create'],
  [source('get', '/users/{id}'), 'users.get'],
  [source('get', '/users/{id}/{part}'), 'users.get'],
  [source('get', '/rpc/x'), 'rpc_.x.list'],
  [source('get', '/stated', 'users.get'), 'users.get'],
  [source('delete', '/plain/{id}'), 'plain.delete'],
  [source('get', '/m', undefined, 'm.list'), 'm.list'],
  [source('post', '/m', undefined, 'm.list.all'), 'm.list.all'],
  [source('get', '/n', undefined, 'users.get'), 'users.get'],
] as const

function named(sources: readonly NameSource[]): { names: Map<NameSource, string>; reports: string[] } {
  const diagnostics: Diagnostic[] = []
  const names = nameOperations(sources, diagnostics, { strategy: 'classic' })
  const reports = diagnostics.map(({ code, message }) => `${code} ${message}`).sort()
  return { names: new Map(sources.map((one, index) => [one, names[index] ?? ''])), reports }
}

describe('names of the classic strategy that collide', () => {
  const { names, reports } = named(wanted.map(([one]) => one))

  it('are settled so that each is unique', () => {
    expect(new Set(names.values()).size).toBe(wanted.length)
    expect(names.get(wanted[8][0])).toBe('users.get')
    expect(names.get(wanted[9][0])).toBe('plain.delete')
  })

  it('are reported, each that is not the one wanted and no other', () => {
    const changed = wanted.filter(([one, name]) => names.get(one) !== name).map(([one]) => one)
    expect(changed.length).toBeGreaterThan(3)
    expect(reports).toHaveLength(changed.length)
    for (const { verb, path } of changed) {
      const start = `operation-renamed ${verb.toUpperCase()} ${path} is named `
      expect(
        reports.filter((report) => report.startsWith(start)),
        path,
      ).toHaveLength(1)
    }
  })

  it('and their reports are the same in every order of the document', () => {
    const all = wanted.map(([one]) => one)
    const orders = fc.shuffledSubarray(all, { minLength: all.length })
    fc.assert(
      fc.property(orders, (order) => {
        const other = named(order)
        expect(other.reports).toEqual(reports)
        for (const one of all) expect(other.names.get(one)).toBe(names.get(one))
      }),
    )
  })
})
