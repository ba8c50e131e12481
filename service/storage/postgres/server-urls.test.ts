import { describe, expect, it } from 'vitest'
import { serverUrls } from './server-urls.js'

describe('the servers of DATABASE_URL', () => {
  it.each<[string, readonly string[]]>([
    ['postgres://u:p@one/billing', ['postgres://u:p@one/billing']],
    ['postgresql:///billing?host=/run/postgresql', ['postgresql:///billing?host=/run/postgresql']],
    [
      'postgres://u:p@one:1,two,[::1]:3/b?sslmode=require',
      ['one:1', 'two', '[::1]:3'].map((host) => `postgres://u:p@${host}/b?sslmode=require`),
    ],
    [
      'postgres://u:a%40b@one,two/b?target_session_attrs=read-write',
      ['postgres://u:a%40b@one/b', 'postgres://u:a%40b@two/b'],
    ],
    ['postgres://u@one/b?target_session_attrs=primary', ['postgres://u@one/b']],
  ])('are distinguished: %s', (url, servers) => {
    expect(serverUrls(url)).toEqual(servers)
  })

  it.each([
    'one,two',
    'mysql://u@one/b',
    'postgres://u@one,,two/b',
    'postgres://u@one:x,two/b',
    'postgres://u@one,two/b?target_session_attrs=any',
    'postgres://u@one,two/b?target_session_attrs=standby',
  ])('are none: %s', (url) => {
    expect(serverUrls(url)).toBeUndefined()
  })
})
