import { expect, it, vi } from 'vitest'
import { connectionOf, isSilent, limitsOf } from '../../../templates/reference/script/connection.js'
import { sent } from '../../../templates/reference/script/exchange.js'
import type { Schema, Settings, Tried } from '../../../templates/reference/script/page.js'
import { prepared, requestText } from '../../../templates/reference/script/request.js'
import { isUnsent, withUnsentNotes } from '../../../templates/reference/script/unsent.js'
import { modelOf } from '../../../test/fixtures/samples.js'
import { examplesOf } from '../example.js'
import { settingsOf } from '../settings.js'
import { tryItOf } from '../try-it.js'

const header = (name: string) => ({ name, in: 'header', schema: { type: 'string' }, example: 'x' })
const model = modelOf({
  openapi: '3.1.0',
  info: { title: 'Logs', version: '1.0.0' },
  components: { securitySchemes: { session: { type: 'apiKey', in: 'header', name: 'Cookie' } } },
  paths: {
    '/logs': {
      get: {
        'x-rpc-method': 'logs.list',
        security: [{ session: [] }],
        parameters: [
          ...['Date', 'User-Agent', 'Proxy-Trace', 'X-Mark'].map(header),
          { ...header('theme'), in: 'cookie' },
          { ...header('q'), in: 'query' },
        ],
        responses: { 204: { description: 'Done' } },
      },
    },
  },
})

async function tried() {
  const [operation] = model.operations
  if (operation === undefined) throw new Error('The document has no operation')
  return JSON.parse(tryItOf(model)(operation, await examplesOf(model)(operation))) as Tried
}

// Fetch Standard, forbidden request-header; a browser was asked for User-Agent.
it('knows the headers that browsers drop', () => {
  const names = ['Date', 'referer', 'User-Agent', 'HOST', 'Cookie', 'Sec-Fetch-Mode', 'Proxy-Authorization']
  expect(names.filter((name) => !isUnsent(name))).toEqual([])
  expect(['X-Date', 'Accept', 'Range', 'Authorization', 'Secret', 'If-Match'].filter(isUnsent)).toEqual([])
})

it('says at a field that browsers do not send it over REST', async () => {
  const { params, operation } = await tried()
  const noted = withUnsentNotes(params, operation).properties as Readonly<Record<string, Schema>>
  const names = Object.keys(noted).filter((name) => /do not send/.test(String(noted[name]?.description)))
  expect(names).toEqual(['Date', 'User-Agent', 'Proxy-Trace', 'theme'])
})

it('shows no header in the request that browsers do not send', async () => {
  vi.stubGlobal('location', new URL('http://service/reference/'))
  const { example, operation } = await tried()
  const connection = connectionOf(JSON.parse(settingsOf(model, '')) as Settings)
  const text = requestText(await prepared('rest', { operation, params: example }, connection), [])
  vi.unstubAllGlobals()
  expect(text.split('\n')).toEqual(['GET /logs?q=x', 'host: service', 'x-mark: x'])
})

it('asks for no credential, and sends no method, that browsers do not send', async () => {
  const settings = JSON.parse(settingsOf(model, '')) as Settings
  expect(isSilent(settings.securitySchemes.session ?? { type: 'http' })).toBe(true)
  expect(limitsOf([{ session: [] }], settings)).toEqual([
    'session is the header Cookie. Browsers do not send it. Use a sample.',
  ])
  const request = { method: 'TRACE', headers: {}, redirect: 'manual', signal: AbortSignal.abort() } as const
  expect(await sent({ url: 'http://service/', request, withCookies: false })).toEqual({
    failure: 'Browsers do not send TRACE. Use a sample.',
  })
})
