import { describe, expect, it } from 'vitest'
import { isAllowedHost, readHosts } from './hosts.js'

describe('accepted hosts', () => {
  it.each([
    'localhost',
    'localhost:8080',
    'LOCALHOST.',
    'api.localhost',
    '127.0.0.1:1',
    '127.9.9.9',
    '[::1]:8080',
    '',
  ])('have loopback %j among them always', (host) => {
    expect(isAllowedHost(host, new Set())).toBe(true)
  })

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.1', 'notlocalhost'])(
    'do not have %s unless they are named',
    (host) => {
      expect(isAllowedHost(host, new Set())).toBe(false)
      expect(isAllowedHost(host, readHosts(`api.example, ${host}`) ?? '*')).toBe(true)
      expect(isAllowedHost(`${host.toUpperCase()}:443`, readHosts(host) ?? '*')).toBe(true)
      expect(isAllowedHost(host, '*')).toBe(true)
    },
  )

  it('are read as names and addresses', () => {
    expect(readHosts('*')).toBe('*')
    expect(readHosts('Api.Example, [2001:db8::1],2001:db8::2')).toEqual(
      new Set(['api.example', '2001:db8::1', '2001:db8::2']),
    )
    for (const wrong of ['', 'a,,b', 'https://api.example', 'api.example:8080', '*.example', 'a b'])
      expect(readHosts(wrong)).toBeUndefined()
  })
})
