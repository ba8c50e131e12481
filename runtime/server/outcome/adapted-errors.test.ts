import { expect, test } from 'vitest'
import { contractOf, type Definition } from '../../fixtures/contract.js'
import { served, serveNode } from '../../fixtures/serve.js'
import { closed } from '../../fixtures/versions.js'
import { createVersions, type ErrorMapping, ProblemError } from '../../index.js'

const string = { type: 'string' }

/** Reads a thing, and fails with a body of these members. */
const getOf = (members: Readonly<Record<string, object>>, path = '/things'): Definition => ({
  method: 'GET',
  path,
  params: closed({}),
  failures: { '4XX': { binding: { type: 'application/json' }, body: closed(members) } },
})

const versions = [
  { contract: contractOf({ 'things.get': getOf({ code: string }) }) },
  { contract: contractOf({ 'things.get': getOf({ code: string, text: string }) }, { version: '1.1.0' }) },
  {
    contract: contractOf(
      { 'things.read': getOf({ code: string, text: string, trace: string }) },
      { version: '2.0.0' },
    ),
  },
]

const handlers = {
  things: {
    read: () => {
      throw new ProblemError('not_found', { detail: 'no thing' })
    },
  },
}

const errors: ErrorMapping<unknown> = ({ code, detail }) => ({ code, text: detail, trace: 't1' })

test('an error body goes back through the adapters of all versions, over both protocols', async () => {
  const server = await served(
    serveNode(
      createVersions({
        versions,
        adapters: {
          '1.0.0': { 'things.get': { error: ({ text: _, ...error }: { text: string }) => error } },
          '1.1.0': {
            'things.get': { to: 'things.read', error: ({ trace: _, ...error }: { trace: string }) => error },
          },
        },
        handlers,
        errors,
        logger: false,
      }),
    ),
  )
  const bodies = {
    '1.0.0': { code: 'not_found' },
    '1.1.0': { code: 'not_found', text: 'no thing' },
    '2.0.0': { code: 'not_found', text: 'no thing', trace: 't1' },
  }
  for (const [version, body] of Object.entries(bodies)) {
    const { status, json } = await server.ask(`/${version}/things`)
    expect({ status, json }).toEqual({ status: 404, json: body })
    const method = version === '2.0.0' ? 'things.read' : 'things.get'
    const call = { jsonrpc: '2.0', id: 1, method, params: {} }
    const { json: answer } = await server.ask(`/${version}`, { method: 'POST', body: call })
    expect(answer).toMatchObject({ error: { data: body } })
  }
})

test.each([
  ['identity', 'identity' as const],
  ['no entry', undefined],
])('bodies of a version before, which pass as they are, come back the same way: %s', async (_, entry) => {
  const [, middle, newest] = versions
  const first = { contract: contractOf({ 'things.get': getOf({ code: string, text: string }) }) }
  const server = await served(
    serveNode(
      createVersions({
        versions: [first, ...[middle, newest].flatMap((one) => one ?? [])],
        adapters: {
          '1.0.0': entry === undefined ? {} : { 'things.get': entry },
          '1.1.0': {
            'things.get': { to: 'things.read', error: ({ trace: _, ...error }: { trace: string }) => error },
          },
        },
        handlers,
        errors,
        logger: false,
      }),
    ),
  )
  expect((await server.ask('/1.0.0/things')).json).toEqual({ code: 'not_found', text: 'no thing' })
})

test('without a converter the mapping makes the body of the older version', async () => {
  const asked: unknown[] = []
  const mapping: ErrorMapping<unknown> = (problem, declared) => {
    asked.push(declared)
    return { code: problem.code }
  }
  const server = await served(
    serveNode(
      createVersions({
        versions: versions.slice(1),
        adapters: { '1.1.0': { 'things.get': { to: 'things.read' } } },
        handlers,
        errors: mapping,
        logger: false,
      }),
    ),
  )
  expect((await server.ask('/1.1.0/things')).json).toMatchObject({ code: 'not_found' })
  expect(asked).toEqual([{ operation: 'things.get', response: '4XX', schema: undefined }])
})

test('a converter that throws, or makes an invalid body, is logged, and the caller receives the problem', async () => {
  for (const error of [
    () => {
      throw new Error('no text')
    },
    () => ({ code: 1 }),
  ]) {
    const logged: string[] = []
    const server = await served(
      serveNode(
        createVersions({
          versions: versions.slice(1),
          adapters: { '1.1.0': { 'things.get': { to: 'things.read', error } } },
          handlers,
          errors,
          logger: { warn: () => {}, error: (_: unknown, message: string) => logged.push(message) },
        }),
      ),
    )
    const { status, json } = await server.ask('/1.1.0/things')
    expect({ status, json }).toMatchObject({ status: 404, json: { type: 'urn:problem-type:not_found' } })
    expect(logged).toEqual(['The option errors returned no valid body, so the caller received the problem'])
  }
})
