import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { isSameOrigin, localPath } from './form.js'

describe('where to go after signing in', () => {
  it.each([
    ['/admin/users/7?q=a%20b', '/admin/users/7?q=a%20b'],
    ['/admin/', '/admin/'],
    ['/admin/users#top', '/admin/users'],
    [null, '/admin/'],
    ['', '/admin/'],
    ['/clients/1', '/admin/'],
    ['https://evil.example/admin/', '/admin/'],
    ['//evil.example/admin/', '/admin/'],
    ['/admin/../../evil', '/admin/'],
    ['/admin/\\evil.example', '/admin//evil.example'],
    ['/admin/..//evil.example', '/admin/'],
    ['/\\evil.example/admin/', '/admin/'],
    ['javascript:alert(1)', '/admin/'],
    ['/admin/%0d%0aset-cookie:a=b', '/admin/%0d%0aset-cookie:a=b'],
    ['/admin/\r\nset-cookie:a=b', '/admin/set-cookie:a=b'],
  ])('%j is %s', (text, path) => {
    expect(localPath(text)).toBe(path)
  })
})

describe('a request', () => {
  it.each([
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'cross-site', origin: 'http://billing.example' }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ origin: 'http://billing.example' }, true],
    [{ origin: 'https://billing.example' }, true],
    [{ origin: 'http://billing.example:81' }, false],
    [{ origin: 'http://evil.example' }, false],
    [{ origin: 'null' }, false],
    [{}, false],
  ])('with %j comes from a page of this origin: %s', (headers, same) => {
    const request = { headers: { host: 'Billing.example', ...headers } } as unknown as IncomingMessage
    expect(isSameOrigin(request)).toBe(same)
  })
})
