import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServiceHere, type TestService } from '../../test/service-process.js'
import { Visitor } from '../testing/administration.js'

describe('signing in with a login and a password', () => {
  let service: TestService
  const settings = { ANONYMOUS_LIMIT: '8', LOG_LEVEL: 'silent' }
  beforeAll(async () => {
    service = await startServiceHere(settings)
  })
  afterAll(async () => {
    await service?.stop()
    service?.remove()
  })

  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, json: await response.json() }
  }

  it('counts for its user over both protocols, and for the address as any call without a key', async () => {
    const known = ['admin', 'reseller-a'].map((login) => ({ login, password: service.user(login).password }))
    const [admin, reseller] = known
    const call = (id: number, params: object = {}) => ({
      jsonrpc: '2.0',
      id,
      method: 'iam.auth.jwt.authenticate',
      params,
    })
    // The oldest version is served by the handlers of the next one.
    for (const path of ['/iam/auth/jwt/authenticate', '/1.0.0/iam/auth/jwt/authenticate'])
      expect((await post(path, admin ?? {})).status).toBe(200)
    const batch = [call(1, admin), call(2, reseller), call(3, { login: 'admin', password: 'wrong' })]
    const { json } = await post('/', batch)
    expect(json.map((answer: { error?: { code: number } }) => answer.error?.code)).toEqual([
      undefined,
      undefined,
      -32001,
    ])
    // Of eight anonymous calls, four are used: the wrong password counts as a failure instead.
    const statuses: number[] = []
    for (let count = 0; count < 5; count += 1)
      statuses.push((await post('/iam/auth/jwt/authenticate', admin ?? {})).status)
    expect(statuses).toEqual([200, 200, 200, 200, 429])

    // A node stores its counts when it stops.
    await service.stop()
    const { dataDirectory } = service
    service = await startServiceHere(settings, { directory: dataDirectory })
    const visitor = new Visitor(service.url)
    await visitor.signIn('admin', service.user('admin').password)
    const { html } = await visitor.get('/admin/usage.csv')
    const rows = html.split('\r\n').filter((row) => row.includes('jwt.authenticate'))
    expect(rows.map((row) => row.split(',').slice(0, 6).join(' ')).sort()).toEqual([
      '1.0.0 iam.auth.jwt.authenticate rest admin true 1',
      '1.1.0 iam.auth.jwt.authenticate jsonrpc Without credentials true 1',
      '1.1.0 iam.auth.jwt.authenticate jsonrpc admin true 1',
      '1.1.0 iam.auth.jwt.authenticate jsonrpc reseller-a true 1',
      '1.1.0 iam.auth.jwt.authenticate rest admin true 5',
    ])
    const home = await visitor.get('/admin/')
    expect(home.html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')).toContain(
      'admin iam.auth.jwt.authenticate 1.1.0 REST 5',
    )
  })
})
