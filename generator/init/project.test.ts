import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runDuet } from '../../test/in-process.js'

const document = `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
paths: { /a: { $ref: parts.yaml } }
`
const parts = 'get: { x-rpc-method: a.get, responses: { 204: { description: Done } } }\n'

it.each([
  ['openapi.yaml', 'or add a folder for the next version beside it.', undefined],
  [
    'api.yaml',
    'or add a folder for the next version beside it and its document to `specs` in\n   `duet.config.json`.',
    ['spec/1.0.0/api.yaml'],
  ],
])('the README of a project says what a next version needs beside %s', async (name, step, specs) => {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-init-'))
  try {
    writeFileSync(join(cwd, name), document)
    writeFileSync(join(cwd, 'parts.yaml'), parts)
    expect(await runDuet(cwd, ['init', 'shop', '--spec', name])).toMatchObject({ code: 0, err: '' })
    expect(readFileSync(join(cwd, 'shop/README.md'), 'utf8')).toContain(`\`spec/1.0.0/${name}\`, ${step}\n`)
    expect(JSON.parse(readFileSync(join(cwd, 'shop/duet.config.json'), 'utf8')).specs).toEqual(specs)
  } finally {
    rmSync(cwd, { recursive: true })
  }
})

it.each([
  ['with a path', '{ url: https://shop.test/base/v1 }', '/base/v1'],
  [
    'with variables',
    "{ url: 'https://{h}.test/{v}/', variables: { h: { default: a }, v: { default: v2 } } }",
    '/v2',
  ],
])('calls a service below the base path of its document: %s', async (_, server, base) => {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-init-'))
  try {
    writeFileSync(join(cwd, 'openapi.yaml'), `${document}servers: [${server}]\n`)
    writeFileSync(join(cwd, 'parts.yaml'), parts)
    expect(await runDuet(cwd, ['init', 'shop', '--spec', 'openapi.yaml'])).toMatchObject({ code: 0 })
    const readme = readFileSync(join(cwd, 'shop/README.md'), 'utf8')
    expect(readme).toContain(`at \`http://127.0.0.1:8080${base}\` (`)
    expect(readme).toContain(`curl -i http://127.0.0.1:8080${base}/a\n`)
  } finally {
    rmSync(cwd, { recursive: true })
  }
})

it('tells its next steps as a shell takes them', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-init-'))
  try {
    writeFileSync(join(cwd, 'openapi.yaml'), document)
    writeFileSync(join(cwd, 'parts.yaml'), parts)
    const { out } = await runDuet(cwd, ['init', "we ird/it's", '--spec', 'openapi.yaml'])
    expect(out).toContain("\n  cd 'we ird/it'\\''s'\n")
  } finally {
    rmSync(cwd, { recursive: true })
  }
})
