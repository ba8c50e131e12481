// The longest turn of a node's event loop, in processor time, which does not depend on the machine's other
// load. The node loads this module too, and writes its measurement when it ends.
import { readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const file = process.env.TURNS_FILE
if (file !== undefined && isMainThread) measure(file)

/** @param {string} path */
export function watchTurns(path) {
  return {
    environment: { TURNS_FILE: path, NODE_OPTIONS: `--import ${import.meta.url}` },
    /** In milliseconds, for the last node that ended. */
    longest: () => Number(readFileSync(path, 'utf8')),
  }
}

/** Resets a node's measurement. @param {number} pid */
export function beginTurns(pid) {
  process.kill(pid, 'SIGUSR2')
}

/** @param {string} path */
function measure(path) {
  let longest = 0
  let wall = 0
  let before = process.cpuUsage()
  setInterval(() => {
    const now = performance.now()
    const { user, system } = process.cpuUsage(before)
    // Other threads of the process run concurrently.
    longest = Math.max(longest, Math.min((user + system) / 1000, now - wall))
    before = process.cpuUsage()
    wall = now
  }, 1).unref()
  process.on('SIGUSR2', () => {
    longest = 0
  })
  process.on('exit', () => writeFileSync(path, String(longest)))
}
