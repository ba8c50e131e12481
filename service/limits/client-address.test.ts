import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { clientAddress, isSecure, readTrustedProxies, subjectOf } from './client-address.js'

function requestFrom(remoteAddress: string, forwarded?: string, proto?: string): IncomingMessage {
  const headers = { 'x-forwarded-for': forwarded, 'x-forwarded-proto': proto }
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage
}

const trusted = (text: string) => readTrustedProxies(text) ?? undefined

describe('the address of a client', () => {
  it.each([
    ['is the connection’s without trusted proxies', undefined, '198.51.100.1', '203.0.113.9', '198.51.100.1'],
    ['is what the one proxy has written', '1', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['is not what a client has made up', '1', '10.0.0.1', '6.6.6.6, 203.0.113.9', '203.0.113.9'],
    [
      'is what the outer of two proxies has written',
      '2',
      '10.0.0.1',
      '6.6.6.6, 203.0.113.9, 10.0.0.2',
      '203.0.113.9',
    ],
    [
      'is the last that is in no trusted network',
      '10.0.0.0/8',
      '10.0.0.1',
      '6.6.6.6,203.0.113.9,10.9.9.9',
      '203.0.113.9',
    ],
    [
      'is the connection’s where that is no trusted proxy',
      '10.0.0.0/8',
      '198.51.100.1',
      '203.0.113.9',
      '198.51.100.1',
    ],
    ['is the proxy’s where it has written none', '1', '10.0.0.1', undefined, '10.0.0.1'],
    ['is the proxy’s if the header has no address there', '1', '10.0.0.1', 'unknown', '10.0.0.1'],
    ['is of IPv4, over a socket of IPv6 too', '10.0.0.1', '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['may be of IPv6', '::1', '::1', '2001:db8::7', '2001:db8::7'],
  ])('%s', (_name, proxies, remote, forwarded, expected) => {
    expect(
      clientAddress(requestFrom(remote, forwarded), proxies === undefined ? undefined : trusted(proxies)),
    ).toBe(expected)
  })

  it('is secure only if a trusted proxy says so', () => {
    expect(isSecure(requestFrom('10.0.0.1', undefined, 'https'), trusted('1'))).toBe(true)
    expect(isSecure(requestFrom('10.0.0.1', undefined, 'http'), trusted('1'))).toBe(false)
    expect(isSecure(requestFrom('10.0.0.1', undefined, 'https'), undefined)).toBe(false)
    expect(isSecure(requestFrom('198.51.100.1', undefined, 'https'), trusted('10.0.0.0/8'))).toBe(false)
  })

  it('counts by the /64 network for IPv6', () => {
    expect(subjectOf('203.0.113.9')).toBe('203.0.113.9')
    expect(subjectOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
    expect(subjectOf('2001:0db8::6')).toBe('2001:db8:0:0::/64')
    expect(subjectOf('::1')).toBe('0:0:0:0::/64')
  })
})
