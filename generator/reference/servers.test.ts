import { afterEach, expect, it, vi } from 'vitest'
import { addressKey, connectionOf, serverUrl } from '../../templates/reference/script/connection.js'
import type { Settings, Tried } from '../../templates/reference/script/page.js'
import { prepared } from '../../templates/reference/script/request.js'
import { modelOf } from '../../test/fixtures/samples.js'
import { examplesOf } from './example.js'
import { inShell } from './samples/in-shell.js'
import { settingsOf } from './settings.js'
import { tryItOf } from './try-it.js'

afterEach(() => void vi.unstubAllGlobals())

const model = modelOf({
  openapi: '3.1.0',
  info: { title: 'Things', version: '1.0.0' },
  servers: [
    {
      url: 'https://{region}.api.example:{port}/v1/',
      description: 'Live',
      variables: { region: { default: 'us', enum: ['eu', 'us'] }, port: { default: '8443' } },
    },
    { url: 'https://sandbox.example/api/v2' },
  ],
  paths: {
    '/things': { get: { 'x-rpc-method': 'things.list', responses: { 204: { description: 'Done' } } } },
  },
})
const settings = JSON.parse(settingsOf(model, '')) as Settings

it('offers a server for each value of its variables, the defaults first', () => {
  expect(settings.servers).toEqual([
    {
      ...{ url: 'https://us.api.example:8443/v1', description: 'Live' },
      ...{ template: 'https://us.api.example:{port}/v1', variables: { port: '8443' } },
    },
    {
      ...{ url: 'https://eu.api.example:8443/v1', description: 'Live' },
      ...{ template: 'https://eu.api.example:{port}/v1', variables: { port: '8443' } },
    },
    { url: 'https://sandbox.example/api/v2', description: '' },
  ])
})

it('offers a limited number of combinations', () => {
  const names = ['a', 'b', 'c', 'd']
  const variables = Object.fromEntries(
    names.map((name) => [name, { default: '0', enum: ['0', '1', '2', '3'] }]),
  )
  const url = `https://api.example/${names.map((name) => `{${name}}`).join('/')}`
  const { openapi } = model
  const many = { ...model, openapi: { ...openapi, servers: [{ url, variables }] } }
  expect((JSON.parse(settingsOf(many, '')) as Settings).servers).toHaveLength(30)
})

it('offers a relative server on the host of the page', () => {
  vi.stubGlobal('location', new URL('http://docs.example/reference/'))
  expect(['/v1/', 'v1', '//other.example/v1', 'ftp://docs.example', 'javascript:x'].map(serverUrl)).toEqual([
    'http://docs.example/v1',
    'http://docs.example/v1',
    'http://other.example/v1',
    undefined,
    undefined,
  ])
  vi.stubGlobal('location', new URL('file:///reference/index.html'))
  expect(serverUrl('/v1')).toBe(undefined)
})

it('begins with the first server, as the document has it, or the page itself, below the base path', () => {
  vi.stubGlobal('location', new URL('http://docs.example/reference/'))
  const connection = connectionOf(settings)
  expect(connection.address()).toBe('https://us.api.example:8443/v1')
  vi.stubGlobal('location', new URL('http://127.0.0.1:9000/reference/'))
  expect(connectionOf(settings).address()).toBe('http://127.0.0.1:9000/v1')
})

it('shows no server that a shell would run', () => {
  expect(inShell('https://api.example/v1/$(id)`a`"!')).toBe('https://api.example/v1/%24%28id%29%60a%60%22%21')
})

it.each(['https://eu.api.example:8443/v1', 'https://sandbox.example/api/v2'])(
  'calls %s below its own path',
  async (url) => {
    vi.stubGlobal('location', new URL('http://127.0.0.1/reference/'))
    const [operation] = model.operations
    if (operation === undefined) throw new Error('The document has no operation')
    const tried = JSON.parse(tryItOf(model)(operation, await examplesOf(model)(operation))) as Tried
    const connection = connectionOf(settings)
    connection.set(addressKey, serverUrl(url) ?? '')
    const call = { operation: tried.operation, params: {} }
    expect((await prepared('rest', call, connection)).url).toBe(`${url}/things`)
  },
)
