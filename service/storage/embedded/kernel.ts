import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'

/**
 * Names the running kernel and its mount of a directory: two processes that get the same reach each other's
 * sockets there. A volume that is mounted twice counts as two, since a socket is found by its inode. Empty where
 * the system does not tell its boots apart.
 */
export async function kernelOf(directory: string): Promise<string> {
  const boot = bootId()
  return boot === '' ? '' : `${boot} ${(await stat(directory, { bigint: true })).dev}`
}

function bootId(): string {
  try {
    if (process.platform === 'linux') return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    if (process.platform === 'darwin') {
      return execFileSync('sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' }).trim()
    }
  } catch {
    // Falls through: heartbeats alone tell then.
  }
  return ''
}
