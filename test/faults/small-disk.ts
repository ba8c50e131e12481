import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of a few megabytes. */
export interface SmallDisk {
  /** A path to it for any process of its user or of root. */
  readonly path: string
  /** Fills all free space. */
  fill(): void
  /** Frees the space of `fill`. */
  clear(): void
  stop(): Promise<void>
}

/**
 * Mounts a tmpfs in the mount namespace of a separate process, and returns a path through that process. No other
 * process sees the mount. It ends with that process, which ends with this one.
 */
export async function mountSmallDisk(megabytes: number, user: 'root' | 'postgres'): Promise<SmallDisk> {
  const place = mkdtempSync(join(tmpdir(), 'billing-disk-'))
  const become = user === 'root' ? '' : `setpriv --reuid=${user} --regid=${user} --clear-groups `
  const script = `mount -t tmpfs -o size=${megabytes}m,mode=755 tmpfs "$0" && chown ${user} "$0" && exec ${become}sh -c 'echo; exec cat'`
  const holder = spawn('unshare', ['--mount', 'sh', '-c', script, place], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  await once(holder.stdout, 'data')
  const path = `/proc/${holder.pid}/root${place}`
  const filler = join(path, 'filler')
  return {
    path,
    fill() {
      writeFileSync(filler, '')
      for (const bytes of [1 << 20, 1 << 12, 1]) {
        try {
          for (;;) writeFileSync(filler, Buffer.alloc(bytes), { flag: 'a' })
        } catch (error) {
          if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
        }
      }
      if (statfsSync(path).bavail > 0) throw new Error('The disk is not full')
    },
    clear: () => truncateSync(filler),
    async stop() {
      const ended = once(holder, 'close')
      holder.stdin.end()
      await ended
      rmSync(place, { recursive: true, force: true })
    },
  }
}

/** Mounting needs root, and only Linux gives access to another process's mounts. */
export const canMount =
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0
