import { expect, it } from 'vitest'
import { authorizationServers } from './authorization-servers.js'

const https = 'https://id.example.com'
const flow = (urls: object) => ({ type: 'oauth2', flows: { clientCredentials: { scopes: {}, ...urls } } })

it.each([
  [
    'OpenID Connect',
    { type: 'openIdConnect', openIdConnectUrl: `${https}/realms/a/.well-known/openid-configuration` },
    [`${https}/realms/a`],
  ],
  [
    'OpenID Connect at the root',
    { type: 'openIdConnect', openIdConnectUrl: `${https}/.well-known/openid-configuration` },
    [https],
  ],
  [
    'metadata of OAuth 2 (RFC 8414, section 3.1)',
    { type: 'oauth2', oauth2MetadataUrl: `${https}/.well-known/oauth-authorization-server/a`, flows: {} },
    [`${https}/a`],
  ],
  ['flows of OAuth 2', flow({ tokenUrl: `${https}/token` }), [https]],
  ['an address without a host', flow({ tokenUrl: '/token' }), []],
  ['an address that is no web page', flow({ tokenUrl: 'javascript:alert(1)' }), []],
  ['an API key', { type: 'apiKey', in: 'header', name: 'key' }, []],
])('reads the issuer of %s', (_, scheme, expected) => {
  expect(authorizationServers({ openapi: { components: { securitySchemes: { scheme } } } })).toEqual(expected)
})
