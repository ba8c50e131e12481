import { readFileSync } from 'node:fs'

/**
 * The processes' processor time in milliseconds (Linux, proc(5): fields 14 and 15, in hundredths of a
 * second); undefined on other systems. A process that has ended counts as 0.
 * @param {readonly (number | undefined)[]} pids
 */
export function cpuOf(pids) {
  if (process.platform !== 'linux') return undefined
  let sum = 0
  for (const pid of pids) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      // The preceding name may contain any character, even the closing bracket.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      sum += (Number(fields[11]) + Number(fields[12])) * 10
    } catch {
      // It has ended.
    }
  }
  return sum
}
