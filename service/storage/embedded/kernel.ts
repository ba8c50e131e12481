import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'

/**
 * Names the running kernel and its mount of a directory. Two processes with the same name reach each other's sockets
 * there. A volume that is mounted twice has two names, since the kernel finds a socket by its inode. Empty if the
 * system has no boot id.
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
    // Falls through: then only heartbeats decide.
  }
  return ''
}
