import { expect, it } from 'vitest'
import { scaffoldLines } from '../generator/cli/scaffold-report.js'
import { type Files, scaffolded } from './scaffold/page.js'

// What a run says of what earlier runs have done.

const clientsOf = (members: string) => `import type { ClientsHandlers } from '@shop/api/1.0.0'
import type { Principal } from './principal.js'

export const clients: ClientsHandlers<Principal> = {
${members}}
`

function first(lines: string, more: Readonly<Record<string, string>>): Files {
  return new Map([...scaffolded(new Map(), '1.0.0', lines).files, ...Object.entries(more)])
}

it('names each operation whose code comes back with its namespace', () => {
  const clients = 'clients.get GET /clients/{id}\nclients.list GET /clients\n'
  const orders = 'orders.list GET /orders\n'
  const code = clientsOf('  get: () => ({ id: 1 }),\n  list: () => ({ id: 2 }),\n')
  const start = first(clients + orders, { 'clients.ts': code })
  const without = scaffolded(start, '1.1.0', orders)
  expect(scaffoldLines(without.after)).toEqual([
    'parked   clients.get, at the end of clients.ts',
    'parked   clients.list, at the end of clients.ts',
  ])
  const back = scaffolded(without.files, '1.2.0', clients + orders)
  expect(scaffoldLines(back.after)).toEqual([
    'changed  clients.get: its code was put back  (clients.ts)',
    'changed  clients.list: its code was put back  (clients.ts)',
  ])
  expect(back.files.get('clients.ts')).toBe(code.replace('1.0.0', '1.2.0'))
})

it('names code that uses the old name of a member until it is mended, and nothing after that', () => {
  const code = `${clientsOf('  get: () => ({ id: 1 }),\n')}export const one = clients.get()\n`
  const start = first('clients.get GET /clients/{id}', { 'clients.ts': code })
  const left = 'left     clients.ts: clients.get is clients.find now (line 7): change it by hand'
  let { files, after } = scaffolded(start, '1.1.0', 'clients.find GET /clients/{id}')
  expect(scaffoldLines(after)).toContain(left)
  ;({ files, after } = scaffolded(files, '1.1.0', 'clients.find GET /clients/{id}'))
  expect(scaffoldLines(after)).toEqual([left])
  ;({ files, after } = scaffolded(files, '1.2.0', 'clients.fetch GET /clients/{id}'))
  expect(scaffoldLines(after)).toEqual([
    'changed  clients.find: is clients.fetch now  (clients.ts)',
    left.replace('clients.find now', 'clients.fetch now'),
  ])
  const text = files.get('clients.ts') ?? ''
  const mended = new Map([...files, ['clients.ts', text.replace('clients.get()', 'clients.fetch()')]])
  ;({ files, after } = scaffolded(mended, '1.2.0', 'clients.fetch GET /clients/{id}'))
  expect(scaffoldLines(after)).toEqual([])
  expect([...after.write.keys()]).toEqual([])
  const next = scaffolded(files, '1.3.0', 'clients.fetch GET /clients/{id}')
  expect(next.files.get('.duet.json')).not.toContain('former')
})
