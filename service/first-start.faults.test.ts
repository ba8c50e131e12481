import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { dataDirectory } from '../test/service-process.js'
import { creditOf, run, serve, serviceFile } from './testing/process.js'

/** Creating databases is slow, and several times slower on a busy machine. */
const firstStartMs = 90_000

describe.runIf(existsSync(serviceFile))('the service as a process that is killed in its first start', () => {
  const data = dataDirectory()

  it(
    'starts whole after SIGKILL at any moment of its first start',
    async () => {
      await rm(data.path, { recursive: true, force: true })
      for (const pause of [200, 700, 1_200, 1_700, 2_200, 2_700]) {
        const { child, ended, output } = run(serviceFile, { PORT: '0', DATA_DIR: data.path })
        await Promise.race([delay(pause), ended])
        child.kill('SIGKILL')
        await ended
        if (output() !== '') break
      }
      const { url } = await serve({ DATA_DIR: data.path })
      expect((await data.users()).map((user) => user.login)).toEqual(['admin', 'reseller-a', 'reseller-b'])
      expect(await creditOf(url, await data.keyOf('reseller-b'), 4)).toBe(9999.9999)
      expect((await readdir(data.path)).filter((name) => name.includes('new'))).toEqual([])
    },
    firstStartMs,
  )

  it.each(['before', 'after'])(
    'starts with credentials that work when its first start ends right %s the database is in place',
    async (moment) => {
      await rm(data.path, { recursive: true, force: true })
      // Ends the process before or after the rename that moves the database into place.
      const source = `import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const { rename } = fs.promises
const die = () => process.kill(process.pid, 'SIGKILL')
fs.promises.rename = async (from, to) => {
  const last = to.endsWith('/database')
  if (last && ${moment === 'before'}) die()
  await rename(from, to)
  if (last) die()
}
syncBuiltinESMExports()`
      const first = run(serviceFile, {
        PORT: '0',
        DATA_DIR: data.path,
        NODE_OPTIONS: `--import=data:text/javascript;base64,${Buffer.from(source).toString('base64')}`,
      })
      expect((await first.ended).signal).toBe('SIGKILL')
      expect(existsSync(join(data.path, 'database'))).toBe(moment === 'after')
      const { url } = await serve({ DATA_DIR: data.path })
      expect(await creditOf(url, await data.keyOf('reseller-b'), 4)).toBe(9999.9999)
    },
    firstStartMs,
  )
})
