// Measures whole processes, for the benchmarks.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** @typedef {{ cpu: number, megabytes: number, status: number | null }} Usage */

/**
 * Runs any command to its end. Returns its processor time (user and system) in seconds and its peak memory,
 * both from GNU time.
 * @param {string} command @param {string[]} args @param {{ cwd: string, scratch: string, timeout?: number }}
 * place @returns {Usage}
 */
export function usageOf(command, args, { cwd, scratch, timeout = 300_000 }) {
  const report = join(scratch, 'time')
  const time = ['--output', report, '--format', '%U %S %M', command, ...args]
  const env = { ...process.env, NO_COLOR: '1' }
  const { status, error } = spawnSync('/usr/bin/time', time, { cwd, env, stdio: 'ignore', timeout })
  if (error !== undefined && 'code' in error && error.code === 'ENOENT')
    throw new Error('Install GNU time: processor time is measured with /usr/bin/time.')
  if (status === null) return { status, cpu: Number.NaN, megabytes: Number.NaN }
  const [user = Number.NaN, system = Number.NaN, kilobytes = Number.NaN] =
    readFileSync(report, 'utf8').trim().split('\n').at(-1)?.split(' ').map(Number) ?? []
  return { status, cpu: user + system, megabytes: kilobytes / 1024 }
}

/** Installs a benchmark's dependencies, once. @param {string} folder */
export function installPeers(folder) {
  if (existsSync(join(folder, 'node_modules'))) return
  console.error('installing the peers …')
  const { status } = spawnSync('npm', ['ci', '--no-workspaces', '--ignore-scripts'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) process.exit(1)
}

/** @param {number[]} numbers */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}
