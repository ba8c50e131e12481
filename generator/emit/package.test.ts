import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { emitPackage } from './package.js'
import { assets } from './version-files.js'

const versions = [
  { version: '2.0.0-rc.1', title: 'Shop' },
  { version: '1.10.0', title: '*Shop* <b>' },
  { version: '1.9.0', title: 'Shop' },
]

const manifestOf = (...versions: readonly string[]) =>
  JSON.parse(
    emitPackage(
      versions.map((version) => ({ version, title: 'Shop' })),
      '@shop/api',
    ).get('package.json') ?? '',
  )

it('exports the newest release, the newest of each major version, and each version, with their clients and schemas', () => {
  const { exports, version } = manifestOf('2.0.0-rc.1', '1.10.0', '1.9.0')
  expect(Object.keys(exports)).toEqual([
    ...['.', './v1', './v2', './1.9.0', './1.10.0', './2.0.0-rc.1'].flatMap((path) => [
      path,
      `${path}/client`,
      `${path}/schemas`,
    ]),
    './package.json',
  ])
  expect(exports['./1.9.0/client']).toEqual({
    types: './dist/1.9.0/client.d.ts',
    default: './dist/1.9.0/client.js',
  })
  expect(exports['.'].default).toBe('./dist/1.10.0/index.js')
  expect(exports['./v1/client'].default).toBe('./dist/1.10.0/client.js')
  expect(exports['./v2'].default).toBe('./dist/2.0.0-rc.1/index.js')
  expect(version).toBe('1.10.0')
})

it('has a version that npm accepts, and keeps those of the documents', () => {
  const { exports, version } = manifestOf('1.9', '1.10', 'v1', '2020-09-14')
  expect(version).toBe('2020.9.14')
  expect(exports['.'].default).toBe('./dist/2020-09-14/index.js')
  expect(exports['./v1'].default).toBe('./dist/v1/index.js')
  expect(exports['./1.9'].default).toBe('./dist/1.9/index.js')
  expect(exports['./v2020'].default).toBe('./dist/2020-09-14/index.js')
})

it('shows the newest release in the README, with the title as plain text', () => {
  const readme = emitPackage(versions, '@shop/api').get('README.md')
  expect(readme).toContain("from '@shop/api/1.10.0/client'")
  expect(readme).toContain('\\*Shop\\* &lt;b\\>')
})

it('has the base path in the README', () => {
  const version = { version: '1.0.0', title: 'Shop', basePath: '/v1', rpcPath: '/rpc' }
  const readme = emitPackage([version], '@shop/api').get('README.md')
  expect(readme).toContain('below `/v1`')
  expect(readme).toContain('JSON-RPC 2.0 at `POST /v1/rpc`')
  expect(readme).toContain("rest('http://127.0.0.1:8080/v1')")
  const hostile = emitPackage([{ ...version, basePath: '/`](x)' }], '@shop/api').get('README.md')
  expect(hostile).toContain('JSON-RPC 2.0 at `POST /rpc`')
})

it('uses the README of the given templates', () => {
  const templates = { render: (path: string, data: object) => `${path} ${JSON.stringify(data)}` }
  expect(
    emitPackage([{ version: '1.0.0', title: 'Shop' }], '@shop/api', { templates }).get('README.md'),
  ).toBe(
    'package-readme.hbs {"name":"@shop/api","title":"Shop","latest":"1.0.0","basePath":"","rpcAddress":"/","versions":[{"version":"1.0.0","title":"Shop"}]}',
  )
})

it('copies and publishes each output of the manifest that the compiler does not write', () => {
  const manifest = readFileSync(new URL('../../generated/1.1.0/manifest.json', import.meta.url), 'utf8')
  const outputs: readonly string[] = JSON.parse(manifest).outputs.map(
    (output: { path: string }) => output.path,
  )
  const uncompiled = outputs.filter((path) => path.endsWith('.d.ts') || !path.endsWith('.ts'))
  const script = emitPackage(versions, '@shop/api').get('copy-assets.js') ?? ''
  const copied = uncompiled.filter((path) => !path.startsWith('reference/'))
  expect(copied.filter((path) => !script.includes(`'${path}'`))).toEqual([])
  expect(copied.sort()).toEqual([...assets].sort())
  const patterns: readonly string[] = manifestOf('1.1.0').files
  const isPublished = (path: string) =>
    patterns.some((pattern) => path.endsWith(pattern.slice('dist/**/*'.length)))
  expect(uncompiled.filter((path) => !isPublished(path))).toEqual([])
})
