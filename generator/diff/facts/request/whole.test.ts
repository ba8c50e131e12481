import { expect, it } from 'vitest'
import { compared, sidesOf } from '../../../../test/diff/compared.js'
import type { Json } from '../../../document/document.js'
import { Collector } from '../../change/collector.js'
import type { Endpoint } from '../../change/side.js'
import { Judgement } from '../../decide/judgement.js'
import { Reach } from '../../reach/reach.js'
import { Sameness } from '../../same/same.js'
import { exploreNode } from '../../schema/explore.js'
import { SchemaGraph } from '../../schema/graph.js'
import { wholeFacts } from './whole.js'

// Shows what the comparison of parts overlooks: here it reports nothing.

const notice = { today: '2026-11-21', days: 0 }

async function overlooked(old: object, fresh: object): Promise<unknown[]> {
  const [before, after] = await sidesOf(document(old), document(fresh))
  const collector = new Collector(before, after)
  const sameness = new Sameness(before, after)
  const graph = new SchemaGraph(
    before,
    after,
    sameness,
    new Judgement(before, after, sameness),
    notice,
    exploreNode,
  )
  const [one, other] = [before.endpoints[0], after.endpoints[0]]
  if (one === undefined || other === undefined) throw new Error('there is no operation')
  class Silent extends Reach {
    override different(): ReadonlySet<Endpoint> {
      return new Set(after.endpoints)
    }
  }
  const tools = { collector, reach: new Silent(graph, collector), notice }
  wholeFacts([{ old: before, new: after, before: one, after: other, tools }], tools)
  return collector.changes.map(({ id, level, protocols, evidence }) => [
    level,
    id,
    protocols.join(),
    evidence?.witness,
  ])
}

function document(operation: object): string {
  return JSON.stringify({
    openapi: '3.1.1',
    info: { title: 'Shop', version: '1.0.0' },
    paths: {
      '/a': { post: { operationId: 'a.do', responses: { 204: { description: 'Fine' } }, ...operation } },
    },
    components: {
      schemas: {
        Open: { type: 'object', properties: { a: { type: 'string' } } },
        More: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } },
        Less: { type: 'object', properties: { a: { type: 'string', maxLength: 3 } } },
      },
    },
  })
}

const component = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
const list = (items: Json): Json => ({ type: 'object', properties: { list: { type: 'array', items } } })
const shape = (name: string, type: string, other?: string): Json => ({
  type: 'object',
  properties: { [name]: { type }, ...(other !== undefined && { [other]: { type: 'integer' } }) },
  required: [name],
})
const sent = (schema: Json, more: object = {}) => ({
  requestBody: { required: true, content: { 'application/json': { schema } } },
  ...more,
})
const answered = (schema: Json) => ({
  responses: { 200: { description: 'Fine', content: { 'application/json': { schema } } } },
})

it('params that are refused as a whole are an alarm with the least of them', async () => {
  const found = await overlooked(sent(list(component('Open'))), sent(list(component('Less'))))
  expect(found).toEqual([
    [
      'breaking',
      'request-params-narrowed',
      'rest,jsonrpc',
      { list: [{ a: expect.stringMatching(/^.{4}$/) }] },
    ],
  ])
})

it('a result that the old version never gave is an alarm', async () => {
  const found = await overlooked(answered(component('Less')), answered(component('Open')))
  expect(found).toEqual([
    ['breaking', 'response-result-widened', 'rest,jsonrpc', { a: expect.stringMatching(/^.{4}$/) }],
  ])
})

it.each([
  { nullable: true },
  { nullable: false },
  { nullable: true, enum: ['a', null] },
  { nullable: true, allOf: [component('Open')] },
  { enum: [] },
])('params that are refused as a whole are an alarm next to %j, which AJV refuses', async (odd) => {
  const beside = (name: string): Json => ({ type: 'object', properties: { odd, a: component(name) } })
  const found = await overlooked(sent(beside('Open')), sent(beside('Less')))
  expect(found).toMatchObject([['breaking', 'request-params-narrowed', 'rest,jsonrpc', {}]])
})

const marked = { type: 'object', properties: { a: { type: 'integer', writeOnly: true } } }
const bare = { type: 'object', properties: { a: { type: 'integer' } } }
const needed = { required: ['a'] }

it.each<[string, Json, Json, object]>([
  [
    'beside the part that marked it',
    { allOf: [marked, needed] },
    { allOf: [bare, needed] },
    { a: expect.any(Number) },
  ],
  ['in a new part', marked, { allOf: [bare, needed] }, { a: expect.any(Number) }],
  [
    'within a list, next to one that may be left out',
    list({ ...marked, properties: { ...marked.properties, b: { type: 'string', writeOnly: true } } }),
    list({ allOf: [{ ...bare, properties: { ...bare.properties, b: { type: 'string' } } }, needed] }),
    { list: [{ a: expect.any(Number) }] },
  ],
])('a required property that was write-only is an alarm: %s', async (_, old, fresh, witness) => {
  const found = await overlooked(answered(old), answered(fresh))
  expect(found).toEqual([['breaking', 'response-result-widened', 'rest,jsonrpc', witness]])
})

it('over REST alone, where parameters are text, nothing is concluded from their values', async () => {
  const asked = (type: string) => ({
    'x-rpc-method': false,
    parameters: [{ in: 'query', name: 'q', schema: { type } }],
  })
  expect(await overlooked(asked('integer'), asked('string'))).toEqual([])
})

it('over REST, too, a body of JSON is refused next to a parameter whose text is read in another way', async () => {
  const asked = (type: string, bound: object) =>
    sent(
      { type: 'array', items: { type: 'string', ...bound } },
      { parameters: [{ in: 'query', name: 'q', schema: { type } }] },
    )
  const found = await overlooked(asked('integer', {}), asked('string', { maxLength: 0 }))
  expect(found).toMatchObject([
    ['breaking', 'request-params-narrowed', 'rest,jsonrpc', { body: [expect.any(String)] }],
  ])
})

it.each<[string, object, object]>([
  ['an optional property that nobody has sent', sent(component('Open')), sent(component('More'))],
  [
    'one within a component that is sent in a list',
    sent(list(component('Open'))),
    sent(list(component('More'))),
  ],
  [
    'one of an object that said nothing of its members',
    sent({ type: 'object' }),
    sent({ type: 'object', properties: { a: { type: 'string' } } }),
  ],
  [
    'one within a branch',
    sent({
      oneOf: [{ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, { type: 'null' }],
    }),
    sent({
      oneOf: [
        { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a'] },
        { type: 'null' },
      ],
    }),
  ],
  [
    'a member of which only another branch speaks',
    sent({ oneOf: [shape('a', 'string'), shape('c', 'string')] }),
    sent({ oneOf: [shape('a', 'string'), shape('c', 'string', 'a')] }),
  ],
  [
    'a read-only property, which is not sent',
    sent({ type: 'object', properties: { a: { type: 'string', readOnly: true } } }),
    sent({ type: 'object', properties: { a: { type: 'integer', readOnly: true } } }),
  ],
  [
    'a write-only property, which is not answered',
    answered({ type: 'object', required: ['a'], properties: { a: { type: 'string', writeOnly: true } } }),
    answered({ type: 'object', properties: { a: { type: 'integer', writeOnly: true } } }),
  ],
  [
    'a property that was write-only and is answered now',
    answered({ type: 'object', properties: { a: { type: 'string', writeOnly: true } } }),
    answered({ type: 'object', properties: { a: { type: 'string' } } }),
  ],
  [
    'one whose name is required elsewhere',
    answered({
      type: 'object',
      properties: { x: marked, y: { type: 'object', properties: { a: { type: 'string' } }, ...needed } },
      required: ['x', 'y'],
    }),
    answered({
      type: 'object',
      properties: { x: bare, y: { type: 'object', properties: { a: { type: 'string' } }, ...needed } },
      required: ['x', 'y'],
    }),
  ],
  [
    'an operation that promises nothing yet',
    sent(component('Open'), { 'x-stability-level': 'alpha' }),
    sent(component('Less'), { 'x-stability-level': 'alpha' }),
  ],
])('by convention there is no alarm about %s', async (_, old, fresh) => {
  expect(await overlooked(old, fresh)).toEqual([])
})

it('names the status or media type that alone causes it', async () => {
  const answer = { description: 'Fine', content: { 'application/json': { schema: component('Open') } } }
  const object = component('Open')
  const lists = { type: 'array', items: object }
  const body = (type: string, schema: Json) => ({
    requestBody: { required: true, content: { [type]: { schema } } },
  })
  const pairs = [
    [{ responses: { 200: answer } }, { responses: { 200: answer, 304: { description: 'Same' } } }],
    [body('application/x-ndjson', object), body('application/json', lists)],
  ] as const
  const found = await Promise.all(pairs.map(([old, fresh]) => compared(document(old), document(fresh))))
  const ofRpc = found.map(({ changes }) =>
    changes.flatMap(({ protocols, message }) => (protocols.join() === 'jsonrpc' ? message : [])),
  )
  expect(ofRpc).toEqual([
    ['the old version never gives some result of the new one: the response 304 was added'],
    [
      'params that the old version takes are refused as a whole: the media type application/x-ndjson of the request body was removed',
    ],
  ])
})
