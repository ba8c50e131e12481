import { allSegments, type Segment } from './segments.js'
import { lettersOf, wordsOf } from './words.js'

/** Whether an operationId only repeats method and path: `PostAccountsAccount`, `get_files_id`, `assetReportGet`. */
export function isEcho(operationId: string, verb: string, path: string): boolean {
  const segments = allSegments(path)
  // No id repeats that many segments, and reading them takes time.
  if (segments.length > 40) return false
  const letters = lettersOf(operationId)
  const method = lettersOf(verb)
  const starts = new Set([0, ...(letters.startsWith(method) ? [method.length] : [])])
  const ends = segments.reduce((offsets, segment) => {
    const after = behind(offsets, segment, letters)
    if (segment.optional) for (const offset of offsets) after.add(offset)
    return after
  }, starts)
  return ends.has(letters.length) || (letters.endsWith(method) && ends.has(letters.length - method.length))
}

/** The offsets where a segment can end, if it starts at one of these offsets. Its parameters may be missing. */
function behind(offsets: ReadonlySet<number>, { words, parameters }: Segment, letters: string): Set<number> {
  const after = (found: ReadonlySet<number>, text: string): Set<number> =>
    new Set([...found].filter((at) => letters.startsWith(text, at)).map((at) => at + text.length))
  let found = words.length === 0 ? new Set(offsets) : after(offsets, words.join(''))
  for (const parameter of parameters) {
    const own = wordsOf(parameter)
    for (const start of [found, after(found, 'by')])
      for (const text of [own.join(''), own[0] ?? '', own.at(-1) ?? '', 'id'])
        found = new Set([...found, ...after(start, text)])
  }
  return found
}

/** Removes the path and method that FastAPI appends: `read_item` for `read_item_items__item_id__get`. */
export function withoutPath(operationId: string, verb: string, path: string): string {
  const end = `${path.replaceAll(/\W/g, '_')}_${verb}`
  return operationId.endsWith(end) ? operationId.slice(0, -end.length) : operationId
}
