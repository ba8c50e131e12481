// @module-tag long

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const info = { title: 'Shop', version: '1.0.0' }

it.each([
  ['accept a document', { openapi: '3.1.0', info, paths: {} }, 0],
  ['refuse a document that names no version of OpenAPI', { info, paths: {} }, 1],
])('the peers %s', (_, document, status) => {
  const folder = mkdtempSync(join(tmpdir(), 'duet-peers-'))
  try {
    const file = join(folder, 'openapi.json')
    writeFileSync(file, JSON.stringify(document))
    const args = [resolve('scripts/bench-documents/peers.mjs'), file]
    const run = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
    expect({ status: run.status, stderr: run.stderr }).toEqual({ status, stderr: '' })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
