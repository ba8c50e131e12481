import { expect, it } from 'vitest'
import { emitPackage } from './package.js'

const versions = [
  { version: '2.0.0-rc.1', title: 'Shop' },
  { version: '1.10.0', title: '*Shop* <b>' },
  { version: '1.9.0', title: 'Shop' },
]

it('exports every version and its client, in the order of versions', () => {
  const { exports, version } = JSON.parse(emitPackage(versions, '@shop/api').get('package.json') ?? '')
  expect(Object.keys(exports)).toEqual([
    './1.9.0',
    './1.9.0/client',
    './1.10.0',
    './1.10.0/client',
    './2.0.0-rc.1',
    './2.0.0-rc.1/client',
    './package.json',
  ])
  expect(exports['./1.9.0/client']).toEqual({
    types: './dist/1.9.0/client.d.ts',
    default: './dist/1.9.0/client.js',
  })
  expect(version).toBe('1.10.0')
})

it('shows the newest release in the README, with the title as plain text', () => {
  const readme = emitPackage(versions, '@shop/api').get('README.md')
  expect(readme).toContain("from '@shop/api/1.10.0/client'")
  expect(readme).toContain('\\*Shop\\* &lt;b\\>')
})

it('takes the README from the templates that it is given', () => {
  const templates = { render: (path: string, data: object) => `${path} ${JSON.stringify(data)}` }
  expect(emitPackage([{ version: '1.0.0', title: 'Shop' }], '@shop/api', templates).get('README.md')).toBe(
    'package-readme.hbs {"name":"@shop/api","title":"Shop","latest":"1.0.0","versions":[{"version":"1.0.0","title":"Shop"}]}',
  )
})
