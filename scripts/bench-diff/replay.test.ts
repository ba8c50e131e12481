// @module-tag long

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const operation = (operationId: string, parameters: readonly object[], type: string) => ({
  get: {
    operationId,
    parameters,
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: { type } } } },
    },
  },
})
const documentOf = (version: string, paths: object) =>
  JSON.stringify({ openapi: '3.1.0', info: { title: 'Notes', version }, paths })

it('a call that another operation takes holds, as its proof says, and so does a refused one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'duet-replay-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [old, fresh] = [join(folder, 'old.json'), join(folder, 'new.json')]
  const id = (schema: object) => [{ name: 'id', in: 'path', required: true, schema }]
  const note = operation('getNote', id({ type: 'string', maxLength: 9 }), 'string')
  const shorter = operation('getNote', id({ type: 'string', maxLength: 7 }), 'string')
  writeFileSync(old, documentOf('1.0.0', { '/notes/{id}': note }))
  writeFileSync(
    fresh,
    documentOf('2.0.0', { '/notes/{id}': shorter, '/notes/count': operation('countNotes', [], 'integer') }),
  )
  const { stdout, stderr } = spawnSync(process.execPath, ['scripts/bench-diff/replay.mjs', old, fresh], {
    encoding: 'utf8',
  })
  // The shadowed path over REST; the length over REST and JSON-RPC.
  expect([stdout, stderr]).toEqual(['{"changes":2,"calls":3,"hold":3,"fail":0}\n', ''])
})
