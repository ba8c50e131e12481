import { describe, expect, it } from 'vitest'
import { adapted } from '../../test/adapt/adapted.js'
import type { JsonObject } from '../document/document.js'
import type { AdaptedOperation } from './adaptation.js'
import { roundTrips } from './laws.js'
import { sameObject } from './plan/plan.js'
import { StandIns } from './team/stand-in.js'
import { teamTrials } from './team/team-trials.js'

const document = (client: string, body: string) => `
paths:
  /clients/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get:
      x-rpc-method: clients.get
      responses: { 200: { description: Fine, content: { application/json: { schema: { $ref: '#/components/schemas/Client' } } } } }
    patch:
      x-rpc-method: clients.update
      requestBody: { required: true, content: { application/json: { schema: { type: object, additionalProperties: false, properties: { ${body} } } } } }
      responses: { 204: { description: Done } }
components:
  schemas:
    Client: { type: object, additionalProperties: false, required: [id, name], properties: { id: { type: integer }, ${client} } }
`
const old = document('name: { type: string }', 'name: { type: string }')
const fresh = document(
  'name: { type: string }, version: { type: string }',
  'name: { type: string }, version: { type: string }',
)

it('reads a resource, writes back what the older version knows, and reads the same', async () => {
  const { adaptation, attacker } = await adapted(old, fresh)
  const [trip, ...others] = await roundTrips(adaptation, attacker)
  expect(others).toEqual([])
  expect(trip).toEqual({ read: 'clients.get', write: 'clients.update', cases: expect.any(Number) })
  expect(trip?.cases).toBeGreaterThan(5)
})

it('finds a result that is not the same after it was written back', async () => {
  const { adaptation, attacker } = await adapted(old, fresh)
  const broken = adaptation.operations.map((operation): AdaptedOperation => {
    const set = new Map([['name', 'Ada']])
    const parts = operation.parts.map((part) =>
      part.name === 'params' ? { ...part, plan: { ...sameObject, set } } : part,
    )
    return operation.name === 'clients.update' ? { ...operation, parts } : operation
  })
  const [trip] = await roundTrips({ operations: broken }, attacker)
  expect(trip?.counterexample).toHaveProperty('result.name')
})

describe('members that open schemas do not describe', () => {
  const opened = (text: string) => text.replaceAll(', additionalProperties: false', '')
  const name = 'name: { type: string }'
  const [longer, dated] = [`${name}, level: { type: integer }`, `${name}, at: { type: string, format: date }`]

  it.each([
    ['the next version describes one', [name, longer], undefined],
    ['the older version describes one', [longer, name], undefined],
    ['code cannot test one, which the table names', [name, dated], ['at']],
  ])('are read again as they were written: %s', async (_, [was = '', is = ''], lost) => {
    const step = await adapted(opened(document(was, was)), opened(document(is, is)))
    const [trip] = await roundTrips(step.adaptation, step.attacker)
    expect(trip?.counterexample).toBeUndefined()
    expect(trip?.cases).toBeGreaterThan(5)
    expect(trip?.lost).toEqual(lost)
  })

  it('are missed where a converter drops them and says nothing', async () => {
    const { adaptation, attacker } = await adapted(
      opened(document(name, name)),
      opened(document(longer, longer)),
    )
    const operations = adaptation.operations.map((operation): AdaptedOperation => {
      const plan = { ...sameObject, drop: ['level'] }
      const parts = operation.parts.map((part) => (part.name === 'params' ? { ...part, plan } : part))
      return operation.name === 'clients.update' ? { ...operation, parts } : operation
    })
    const [trip] = await roundTrips({ operations }, attacker)
    expect(trip?.counterexample).toHaveProperty('written.level')
  })
})

it('has nothing to say of operations that are identical', async () => {
  const { adaptation, attacker } = await adapted(old, old)
  expect(await roundTrips(adaptation, attacker)).toEqual([])
})

describe('converters of the team', () => {
  const narrower = document('name: { type: string }', 'name: { type: string, maxLength: 20 }')
  const tried = async (params: (value: JsonObject) => unknown) => {
    const { adaptation, attacker } = await adapted(old, narrower)
    const adapter = { 'clients.update': { loss: 'long names', params } }
    return await teamTrials(adaptation, { adapter, standIns: new StandIns() }, attacker)
  }

  it('pass if what is read is what was written back, unless the next version refuses that', async () => {
    const found = await tried(({ name, ...params }) => ({
      ...params,
      ...(typeof name === 'string' && { name: name.slice(0, 20) }),
    }))
    expect(found.map(({ fault }) => fault)).toEqual([undefined, undefined])
  })

  it('fail if they always send one value, though they declare a loss', async () => {
    const found = await tried((params) => ({ ...params, name: 'x' }))
    const fault = found.flatMap((trial) => trial.fault ?? [])
    expect(fault).toEqual([
      {
        what: 'a caller that writes back what clients.get reads changes what it reads next',
        value: { id: expect.any(Number), name: expect.not.stringMatching(/^x$/) },
      },
    ])
  })
})
