import { expect, test } from 'vitest'
import { Router } from './router.js'

const router = new Router(
  (
    [
      ['GET', '/'],
      ['GET', '/clients/{id}'],
      ['PATCH', '/clients/{client}'],
      ['GET', '/clients/me'],
      ['GET', '/clients/{id}/notes/{note}'],
      ['GET', '/files/{id}.json'],
      ['GET', '/v1/{name}:cancel'],
      ['GET', '/v1/a:b'],
      ['GET', '/ranges/{from}-{to}'],
      ['GET', '/between/({from})...({to}).json'],
      ['GET', '/pair/{a}{b}'],
      ['GET', '/s/*/x'],
      ['GET', '/st/a*{x}'],
      ['GET', '/é/{x}'],
    ] as const
  ).map(([method, path]) => ({ method, path, target: `${method} ${path}` })),
)

test.each([
  ['/', 'GET /', {}],
  ['/?x=1', 'GET /', {}],
  ['/clients/7', 'GET /clients/{id}', { p0: '7' }],
  ['/clients/7?limit=1', 'GET /clients/{id}', { p0: '7' }],
  ['/clients/me', 'GET /clients/me', {}],
  ['/clients/a%2Fb', 'GET /clients/{id}', { p0: 'a/b' }],
  ['/clients/a%252Fb', 'GET /clients/{id}', { p0: 'a%2Fb' }],
  ['/clients/__proto__', 'GET /clients/{id}', { p0: '__proto__' }],
  ['/clients/7/notes/8', 'GET /clients/{id}/notes/{note}', { p0: '7', p1: '8' }],
  ['/files/a.b.json', 'GET /files/{id}.json', { p0: 'a.b' }],
  ['/v1/x:cancel', 'GET /v1/{name}:cancel', { p0: 'x' }],
  ['/v1/a:b', 'GET /v1/a:b', {}],
  ['/ranges/1-2', 'GET /ranges/{from}-{to}', { p0: '1', p1: '2' }],
  ['/ranges/1-2-3', 'GET /ranges/{from}-{to}', { p0: '1', p1: '2-3' }],
  ['/between/(1)...(2).json', 'GET /between/({from})...({to}).json', { p0: '1', p1: '2' }],
  ['/pair/xyz', 'GET /pair/{a}{b}', { p0: 'x', p1: 'yz' }],
  ['/st/a*7', 'GET /st/a*{x}', { p0: '7' }],
  ['/%C3%A9/1', 'GET /é/{x}', { p0: '1' }],
  ['http://127.0.0.1:80/clients/7', 'GET /clients/{id}', { p0: '7' }],
])('GET %s leads to %s', (url, target, values) => {
  const match = router.find('GET', url)
  expect(match?.target).toBe(target)
  const { literal: _, ...numbered } = { ...match?.values }
  expect(numbered).toEqual(values)
})

test('a literal * is not a wildcard', () => {
  expect(router.find('GET', '/s/*/x')?.target).toBe('GET /s/*/x')
  expect(router.find('GET', '/s/y/x')).toBeUndefined()
})

test.each([
  '/clients',
  '/clients/',
  '/Clients/7',
  '/clients/7/',
  '//clients/7',
  '/clients/%ff',
  '/clients/%',
])('nothing matches %s', (url) => {
  expect(router.find('GET', url)).toBeUndefined()
  expect(router.allowed(url)).toEqual([])
})

test('HEAD has the target of GET', () => {
  expect(router.find('HEAD', '/clients/7')?.target).toBe('GET /clients/{id}')
})

test('a path has its methods, HEAD with GET', () => {
  expect(router.allowed('/clients/7')).toEqual(['GET', 'HEAD', 'PATCH'])
  expect(router.find('POST', '/clients/7')).toBeUndefined()
  expect(router.find('__proto__', '/clients/7')).toBeUndefined()
})

test('refuses two templates that match the same paths', () => {
  const twice = ['/a/{x}', '/a/{y}'].map((path) => ({ method: 'GET' as const, path, target: path }))
  expect(() => new Router(twice)).toThrow('already declared')
})

test('a long segment that almost matches takes linear time', () => {
  const start = process.cpuUsage()
  expect(router.find('GET', `/between/${'()...'.repeat(3000)}`)).toBeUndefined()
  // Quadratic time would take minutes.
  expect(process.cpuUsage(start).user).toBeLessThan(1_000_000)
})
