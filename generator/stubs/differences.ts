import type { Left } from './report.js'

/** Where the files of a folder differ from what scaffolding would make of them: the first line of each. */
export function differences(
  before: ReadonlyMap<string, string>,
  write: ReadonlyMap<string, string>,
  remove: readonly string[],
): Left[] {
  const written = [...write].map(([file, text]) => ({ file, reason: differenceOf(before.get(file), text) }))
  const removed = remove.map((file) => ({ file, reason: 'it would be taken away' }))
  return [...written, ...removed].sort((a, b) => (a.file < b.file ? -1 : 1))
}

function differenceOf(before: string | undefined, after: string): string {
  if (before === undefined) return 'it is not there'
  const [old, now] = [before.split('\n'), after.split('\n')]
  const at = now.findIndex((line, index) => line !== old[index])
  const line = at === -1 ? now.length : at
  return `line ${line + 1} would be ${now[line] === undefined ? 'the end' : now[line].trim() || 'empty'}`
}
