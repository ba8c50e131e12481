// @module-tag long

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { keyIn } from './credentials-key.js'

it.each(["it's", 'a b', '$HOME `x` "y" \\'])(
  'a shell reads the key from a directory named %s',
  async (name) => {
    const directory = await mkdtemp(join(tmpdir(), `${name}-`))
    try {
      const path = join(directory, 'credentials.json')
      await writeFile(path, JSON.stringify({ users: [{ apiKey: 'the key' }] }))
      const { stdout } = await promisify(execFile)('sh', ['-c', `printf %s "X-Api-Key: ${keyIn(path)}"`])
      expect(stdout).toBe('X-Api-Key: the key')
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  },
)
