import { expect, it } from 'vitest'
import { scaffoldLines } from '../../generator/cli/scaffold-report.js'
import { type Files, scaffolded } from './page.js'

// A run's notes about the results of earlier runs.

const clientsOf = (members: string) => `import type { ClientsHandlers } from '@shop/api/1.0.0'
import type { Principal } from '../principal.js'

export const clients: ClientsHandlers<Principal> = {
${members}}
`

function first(lines: string, more: Readonly<Record<string, string>>): Files {
  return new Map([...scaffolded(new Map(), '1.0.0', lines).files, ...Object.entries(more)])
}

it('names parked code whose operation or namespace is back, and adds stubs', () => {
  const [get, list] = ['clients.get GET /clients/{id}\n', 'clients.list GET /clients\n']
  const orders = 'orders.list GET /orders\n'
  const code = clientsOf('  get: () => ({ id: 1 }),\n  list: () => ({ id: 2 }),\n')
  let { files, after } = scaffolded(
    first(get + list + orders, { 'clients.ts': code }),
    '1.1.0',
    list + orders,
  )
  expect(scaffoldLines(after)).toEqual(['parked   clients.get, at the end of clients.ts'])
  ;({ files, after } = scaffolded(files, '1.2.0', get + list + orders))
  expect(scaffoldLines(after)).toEqual([
    'added    clients.get  (clients.ts)',
    'left     clients.ts: it has a parked handler of clients.get: use it or delete it',
  ])
  ;({ files, after } = scaffolded(files, '1.2.0', get + list + orders))
  expect(scaffoldLines(after)).toEqual([])
  ;({ files, after } = scaffolded(files, '2.0.0', orders))
  ;({ files, after } = scaffolded(files, '2.1.0', get + list + orders))
  expect(scaffoldLines(after)).toEqual([
    'added    clients.get  (clients_2.ts)',
    'added    clients.list  (clients_2.ts)',
    'left     clients.ts: it has a parked handler of clients.*: use it or delete it',
    'left     clients.ts: it has a parked handler of clients.get: use it or delete it',
    'left     index.ts: it has a parked handler of clients.*: use it or delete it',
  ])
  expect(files.get('clients.ts')).toContain('//   list: () => ({ id: 2 }),\n')
})

it('names code that uses the old name of a member until it is fixed', () => {
  const code = `${clientsOf('  get: () => ({ id: 1 }),\n')}export const one = clients.get()\n`
  const start = first('clients.get GET /clients/{id}', { 'clients.ts': code })
  const left = 'left     clients.ts: clients.get is now clients.find (line 7): change it by hand'
  let { files, after } = scaffolded(start, '1.1.0', 'clients.find GET /clients/{id}')
  expect(scaffoldLines(after)).toContain(left)
  ;({ files, after } = scaffolded(files, '1.1.0', 'clients.find GET /clients/{id}'))
  expect(scaffoldLines(after)).toEqual([left])
  ;({ files, after } = scaffolded(files, '1.2.0', 'clients.fetch GET /clients/{id}'))
  expect(scaffoldLines(after)).toEqual([
    'changed  clients.find: is now clients.fetch  (clients.ts)',
    left.replace('now clients.find', 'now clients.fetch'),
  ])
  const text = files.get('clients.ts') ?? ''
  const mended = new Map([...files, ['clients.ts', text.replace('clients.get()', 'clients.fetch()')]])
  ;({ files, after } = scaffolded(mended, '1.2.0', 'clients.fetch GET /clients/{id}'))
  expect(scaffoldLines(after)).toEqual([])
  expect([...after.write.keys()]).toEqual([])
  const next = scaffolded(files, '1.3.0', 'clients.fetch GET /clients/{id}')
  expect(next.files.get('.duet.json')).not.toContain('former')
})
