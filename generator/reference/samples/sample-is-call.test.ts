import { resolve } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { connectionOf, keyOf } from '../../../templates/reference/script/connection.js'
import { shownOf, withStandIns } from '../../../templates/reference/script/editor/stand-ins.js'
import type { Settings, Tried } from '../../../templates/reference/script/page.js'
import { type Over, prepared } from '../../../templates/reference/script/request.js'
import {
  curlCalls,
  environment,
  fetchCall,
  password,
  type Request,
  requestOf,
  secret,
  user,
} from '../../../test/fixtures/sample-requests.js'
import { built, modelOf, shop } from '../../../test/fixtures/samples.js'
import type { JsonObject } from '../../document/document.js'
import { loadDocument } from '../../load/load.js'
import type { Model } from '../../model/model.js'
import { consoleView } from '../console-view.js'
import { examplesOf } from '../example.js'
import { settingsOf } from '../settings.js'
import { tryItOf } from '../try-it.js'

afterEach(() => void vi.unstubAllGlobals())

const optional = { type: 'string' }
const body = (schema: JsonObject, example?: JsonObject) => ({
  content: { 'application/json': { schema, ...(example && { example }) } },
})
const fields = { name: optional, size: { type: 'integer' } }
/** Operations with and without examples of the document. */
const pets = modelOf({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1.0.0' },
  paths: {
    '/pets/{petId}': {
      parameters: [{ name: 'petId', in: 'path', required: true, schema: optional }],
      patch: {
        'x-rpc-method': 'pets.update',
        requestBody: body({ type: 'object', properties: fields }),
        responses: { 204: { description: 'Done' } },
      },
      put: {
        'x-rpc-method': 'pets.put',
        parameters: [{ name: 'dry', in: 'query', schema: optional }],
        requestBody: body(
          { type: 'object', required: ['name'], properties: fields },
          { name: 'Tom', size: 7 },
        ),
        responses: { 204: { description: 'Done' } },
      },
    },
  },
})

const media = (...types: string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema: type === 'text/csv' ? optional : {} }]))
/** Below a path, with other types of JSON than the usual one, and responses of several types. */
const reports = modelOf({
  openapi: '3.1.0',
  info: { title: 'Reports', version: '1.0.0' },
  servers: [{ url: 'http://service/v1' }],
  paths: {
    '/reports': {
      patch: {
        'x-rpc-method': 'reports.update',
        requestBody: {
          required: true,
          content: { 'application/merge-patch+json': { schema: { type: 'object', properties: fields } } },
        },
        responses: { 200: { description: 'Done', content: media('application/json') } },
      },
      get: {
        'x-rpc-method': 'reports.get',
        responses: { 200: { description: 'Done', content: media('application/json', 'text/csv') } },
      },
    },
  },
})

it.each<[string, Model]>([
  ['every kind of credential', shop],
  ['examples of parts of a call', pets],
  ['a path, and media types of its own', reports],
  ['the service', built(loadDocument('spec/1.1.0/openapi.yaml', { cwd: resolve('.') }))],
])('a sample is the call that Send makes: %s', async (_, model) => {
  const found = await samplesAndCalls(model)
  const env = environment(`http://service${model.basePath}`)
  const curl = found.filter(({ of }) => of.endsWith('curl'))
  expect(
    curlCalls(
      curl.map(({ text }) => text),
      env,
    ),
  ).toEqual(curl.map(({ sent }) => sent))
  for (const { of, text, sent } of found.filter((each) => each.of.endsWith('fetch')))
    expect([of, await fetchCall(text, env)]).toEqual([of, sent])
  expect(curl.length).toBeGreaterThanOrEqual(model.operations.length)
})

it('a call has the declared type of JSON, names types of responses if there are several, and needs no slash', async () => {
  const found = await samplesAndCalls(reports)
  const [update, get, overRpc] = ['reports.update rest', 'reports.get rest', 'reports.get jsonrpc'].map(
    (name) => found.find(({ of }) => of === `${name} curl`)?.sent,
  )
  expect(update?.headers).toEqual({ 'content-type': 'application/merge-patch+json' })
  expect(get?.headers).toEqual({ accept: 'application/json, text/csv, application/problem+json' })
  expect([overRpc?.url, overRpc?.headers]).toEqual([
    'http://service/v1',
    { 'content-type': 'application/json' },
  ])
})

/** Each sample of a model, and the request of Send. */
async function samplesAndCalls(model: Model) {
  vi.stubGlobal('location', new URL('http://service/reference/'))
  const settings = JSON.parse(settingsOf(model, '')) as Settings
  const examples = examplesOf(model)
  const found: { readonly of: string; readonly text: string; readonly sent: Request }[] = []
  for (const operation of model.operations) {
    const example = await examples(operation)
    const tried = JSON.parse(tryItOf(model)(operation, example)) as Tried
    const connection = connectionOf(settings)
    for (const [name, { scheme }] of Object.entries(settings.securitySchemes))
      connection.set(keyOf(name), scheme === 'basic' ? `${user}:${password}` : secret)
    const begun = tried.example
    const params = shownOf(withStandIns(begun, tried.open))
    for (const { languages, over, text } of consoleView(model, operation, example, '').samples) {
      const [protocol] = over.split(' ') as [Over]
      const call = { operation: tried.operation, params, ...(tried.tool && { tool: tried.tool }) }
      const { url, request } = await prepared(protocol, call, connection)
      const [language = ''] = languages.split(' ')
      const sent = requestOf(url, { ...request, body: request.body && String(request.body) })
      found.push({ of: `${operation.name} ${protocol} ${language}`, text, sent })
    }
  }
  return found
}
