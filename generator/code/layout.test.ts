import { describe, expect, it } from 'vitest'
import { namespaceConstant, namespaceFile, specifierFrom } from './layout.js'

describe('the file of a namespace', () => {
  it.each([
    ['clients', [], 'clients.ts'],
    ['iam.auth.jwt', [], 'iam.auth.jwt.ts'],
    ['clients', ['Clients.ts'], 'clients_2.ts'],
    ['clients', ['CLIENTS.ts', 'clients_2.ts'], 'clients_3.ts'],
    ['index', [], 'index_2.ts'],
    ['Principal', [], 'Principal_2.ts'],
    ['a.test', [], 'a.test_.ts'],
    ['a.d', [], 'a.d_.ts'],
    ['con.trol', [], 'con.trol_.ts'],
    ['__proto__', [], '__proto__.ts'],
  ])('%s beside %j is %s', (namespace, taken, file) => {
    expect(namespaceFile(namespace, taken)).toBe(file)
  })

  it('is no longer than file systems allow, and still its own', () => {
    const [one, two] = ['x', 'y'].map((end) => namespaceFile(`${'a'.repeat(300)}${end}`, []))
    expect(one?.length).toBeLessThan(130)
    expect(one).not.toBe(two)
  })
})

describe('the constant of a namespace', () => {
  it.each([
    ['clients', 'clients'],
    ['iam.auth.jwt', 'iamAuthJwt'],
    ['lnp.exchange_rates', 'lnpExchangeRates'],
    ['default', 'defaultHandlers'],
    ['class', 'classHandlers'],
    ['problem', 'problemHandlers'],
    ['__proto__', 'proto'],
    ['_', 'unnamed'],
    ['_1', 'n1'],
  ])('of %s is %s', (namespace, name) => {
    expect(namespaceConstant(namespace, new Set())).toBe(name)
  })
})

describe('a specifier of the top level', () => {
  const far = `${'../'.repeat(60)}api/index.js`

  it.each([
    ['users.ts', '@shop/api/1.0.0', '@shop/api/1.0.0'],
    ['users.ts', '../api/index.js', '../api/index.js'],
    ['more/users.ts', '../api/index.js', '../../api/index.js'],
    ['more/users.ts', './api/index.js', '../api/index.js'],
    ['more/users.ts', './more/api/index.js', './api/index.js'],
    ['users.ts', far, far],
    ['more/users.ts', far, `../${far}`],
  ])('is in %s, for %s, %s', (file, specifier, expected) => {
    expect(specifierFrom(file, specifier)).toBe(expected)
  })
})
