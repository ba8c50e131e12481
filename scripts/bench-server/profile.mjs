// Where a server spends its time, from node's CPU profile.
import { basename } from 'node:path'

/** @typedef {{ id: number, callFrame: { functionName: string, url: string, lineNumber: number } }} Node */
/** @typedef {{ nodes: Node[], samples: number[], timeDeltas: number[] }} Profile */

/**
 * The functions with the most self time, as Markdown; idle time does not count.
 * @param {Profile} profile @param {number} length how many
 */
export function topOf({ nodes, samples, timeDeltas }, length) {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  /** @type {Map<string, number>} */
  const times = new Map()
  let total = 0
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? ''
    if (name === '(idle)') continue
    const time = timeDeltas[index] ?? 0
    times.set(name, (times.get(name) ?? 0) + time)
    total += time
  }
  const sorted = [...times].sort(([, a], [, b]) => b - a).slice(0, length)
  const rows = sorted.map(([name, time]) => `| ${((100 * time) / total).toFixed(1)} | ${name} |`)
  return ['| % | function |', '| --: | --- |', ...rows].join('\n')
}

/** @param {Node['callFrame']} frame */
function nameOf({ functionName, url, lineNumber }) {
  const name = functionName || '(anonymous)'
  return url === '' ? name : `${name} ${basename(url)}:${lineNumber + 1}`
}
