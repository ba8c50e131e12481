import { allSegments, type Segment } from './segments.js'
import { lettersOf, wordsOf } from './words.js'

/** Whether an operationId says no more than method and path: `PostAccountsAccount`, `get_files_id`, `assetReportGet`. */
export function isEcho(operationId: string, verb: string, path: string): boolean {
  const letters = lettersOf(operationId)
  const method = lettersOf(verb)
  const starts = new Set([0, ...(letters.startsWith(method) ? [method.length] : [])])
  const ends = allSegments(path).reduce((places, segment) => {
    const after = behind(places, segment, letters)
    if (segment.optional) for (const place of places) after.add(place)
    return after
  }, starts)
  return ends.has(letters.length) || (letters.endsWith(method) && ends.has(letters.length - method.length))
}

/** Where in an operationId a segment may end that begins at one of the places; only its fixed part has to be there. */
function behind(places: ReadonlySet<number>, { words, parameters }: Segment, letters: string): Set<number> {
  const after = (found: ReadonlySet<number>, text: string): Set<number> =>
    new Set([...found].filter((at) => letters.startsWith(text, at)).map((at) => at + text.length))
  let found = words.length === 0 ? new Set(places) : after(places, words.join(''))
  for (const parameter of parameters) {
    const own = wordsOf(parameter)
    for (const start of [found, after(found, 'by')])
      for (const text of [own.join(''), own[0] ?? '', own.at(-1) ?? '', 'id'])
        found = new Set([...found, ...after(start, text)])
  }
  return found
}

/** FastAPI's ids without what it puts behind a function's name: `read_item` of `read_item_items__item_id__get`. */
export function withoutPath(operationId: string, verb: string, path: string): string {
  const end = `${path.replaceAll(/\W/g, '_')}_${verb}`
  return operationId.endsWith(end) ? operationId.slice(0, -end.length) : operationId
}
