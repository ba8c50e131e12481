import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { warmest } from '../src/warmest.js'

// `duet mock` answers with the examples of the document. No service is needed.

const { resolve } = createRequire(import.meta.url)
const duet = join(dirname(resolve('duet-api/package.json')), 'bin/duet.js')
let mock: ChildProcess
let address = ''

before(async () => {
  mock = spawn(process.execPath, [duet, 'mock', '1.0.0', '--port', '0'])
  const [line] = await once(mock.stdout ?? mock, 'data')
  address = /http:\/\/[\d.:]+/.exec(String(line))?.[0] ?? ''
})
after(() => mock.kill())

test('finds the warmest day', async () => {
  assert.equal(await warmest('Oslo', address), 4)
})
