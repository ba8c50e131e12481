import type { DocumentPosition } from '../../change/change.js'
import { inert } from '../../change/inert.js'
import { type Difference, difference } from '../difference.js'

/** The lines of a document around a change. */
export type Snippet = readonly SnippetLine[]

interface SnippetLine {
  readonly number: number
  /** Whether lines before this one are left out. */
  readonly afterGap: boolean
  /** Pieces of the line. Those that the other version does not have are marked. */
  readonly parts: readonly { readonly text: string; readonly isMarked: boolean }[]
}

/** The lines of a file. */
export type Lines = readonly string[]

export interface SideBySide {
  readonly old: Snippet
  readonly new: Snippet
}

/**
 * The lines at a change's two positions, each with what is below, reduced to the differences and their surroundings.
 *
 * @param sole the version that alone has the value, if the other position is where it would be. The lines there did
 * not change.
 */
export function sideBySide(
  old: DocumentPosition | null,
  oldLines: Lines | undefined,
  fresh: DocumentPosition | null,
  freshLines: Lines | undefined,
  sole = deeper(old, fresh),
): SideBySide {
  const [before, after] = [blockAt(old, oldLines), blockAt(fresh, freshLines)]
  if (before.length === 0 || after.length === 0 || sole !== undefined)
    return {
      old: alone(before, sole === 'new' ? null : old),
      new: alone(after, sole === 'old' ? null : fresh),
    }
  const marks = known(before, after, difference(texts(before), texts(after)))
  const paired = pair(before, marks.old, after, marks.new)
  return { old: snippet(before, marks.old, paired.old), new: snippet(after, marks.new, paired.new) }
}

/** The version whose position is below the other's: a member that the other one's value does not have. */
function deeper(old: DocumentPosition | null, fresh: DocumentPosition | null): 'old' | 'new' | undefined {
  if (old === null || fresh === null) return undefined
  if (fresh.pointer.startsWith(`${old.pointer}/`)) return 'new'
  return old.pointer.startsWith(`${fresh.pointer}/`) ? 'old' : undefined
}

/** Lines that are not compared. Everything from the given position on is marked. */
function alone(block: readonly BlockLine[], place: DocumentPosition | null): Snippet {
  const marks = block.map(({ number }) => place !== null && number >= place.line)
  return snippet(block, marks, { words: within(block, place), near: new Set() })
}

/** The marks without those at the end of blocks that were cut: the other one may go on with the same lines. */
function known(before: readonly BlockLine[], after: readonly BlockLine[], marks: Difference): Difference {
  if (![before, after].some((block) => block.at(-1)?.isCut === true)) return marks
  const inside = (list: readonly boolean[]) => {
    const end = list.lastIndexOf(false)
    return list.map((isMarked, index) => isMarked && index < end)
  }
  return { old: inside(marks.old), new: inside(marks.new) }
}

/** The line of the position, if the changed value is only a part of it, as in a document of one line. */
function within(block: readonly BlockLine[], place: DocumentPosition | null): Map<number, Parts> {
  const index = block.findIndex(({ number }) => number === place?.line)
  const { text = '', at = 0 } = block[index] ?? {}
  if (text.slice(0, at).replace(/^\s*-?\s*/, '') === '') return new Map()
  const end = endOfValue(text, at)
  const pieces = [text.slice(0, at), text.slice(at, end), text.slice(end)]
  return new Map([[index, parts(pieces, [false, true, false])]])
}

/** The end of a JSON value, or of a name with its value. */
function endOfValue(text: string, start: number): number {
  let depth = 0
  let isQuoted = false
  for (let at = start; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (isQuoted && sign === '\\') at++
    else if (sign === '"') isQuoted = !isQuoted
    else if (!isQuoted && '{['.includes(sign)) depth++
    else if (!isQuoted && ',}]'.includes(sign)) {
      if (depth === 0) return at
      if (sign !== ',') depth--
    }
  }
  return text.length
}

interface BlockLine {
  readonly number: number
  readonly text: string
  /** Where in the text the position is, if it is in this line. */
  readonly at?: number
  /** Set at the end of a block that is too long. */
  readonly isCut?: true
}

const longestBlock = 400
const longestSnippet = 14
const longestLine = 160

/** The line that encloses the position, the line of the position, and the lines below with deeper indentation. */
function blockAt(place: DocumentPosition | null, lines: Lines | undefined): BlockLine[] {
  const first = place === null ? undefined : lines?.[place.line - 1]
  if (place === null || lines === undefined || first === undefined) return []
  const depth = indentation(first)
  const start = enclosing(place, lines, depth)
  let end = place.line
  for (; end < lines.length && end - place.line < longestBlock; end++) {
    const line = lines[end] ?? ''
    if (line.trim() !== '' && indentation(line) <= depth) break
  }
  const outer = indentation(lines[start] ?? '')
  const child = isOperation.test(place.pointer)
    ? indentation(lines[place.line] ?? '')
    : Number.POSITIVE_INFINITY
  const numbers = [
    ...new Set([start + 1, ...Array.from({ length: end - place.line + 1 }, (_, at) => place.line + at)]),
  ]
  const shown = numbers.filter((number) => {
    const line = lines[number - 1] ?? ''
    return line.trim() !== '' && indentation(line) <= child
  })
  const isLong = end - place.line >= longestBlock
  return shown.flatMap((number, index) => {
    const line = lines[number - 1] ?? ''
    const isCut = line.length - outer > longestLine
    const from = isCut && number === place.line ? Math.max(outer, place.column - longestLine / 4) : outer
    const text = inert(line.slice(from, from + longestLine)).trimEnd()
    if (text === '') return []
    const before = from > outer ? '…' : ''
    const after = line.length > from + longestLine ? '…' : ''
    const at = place.column - 1 - from + before.length
    return [
      {
        number,
        text: `${before}${text}${after}`,
        ...(number === place.line && { at }),
        ...(isLong && index === shown.length - 1 && { isCut: true }),
      },
    ]
  })
}

/**
 * The line that encloses the position. If that is only a brace, as in a list of JSON objects, the line with the
 * object's name.
 */
function enclosing({ line }: DocumentPosition, lines: Lines, depth: number): number {
  let named: number | undefined
  for (let at = line - 2; at >= 0 && line - at < longestBlock && depth > 0; at--) {
    const text = lines[at] ?? ''
    if (text.trim() === '' || indentation(text) > depth) continue
    if (indentation(text) < depth) return text.trim() === '{' && named !== undefined ? named : at
    if (text.trimStart().startsWith('"name":')) named = at
  }
  return line - 1
}

/** An operation shows only its own lines. Its params and responses have changes of their own. */
const isOperation = /^#\/(?:paths|webhooks)\/[^/]+\/[^/]+$/

function indentation(line: string): number {
  return line.length - line.trimStart().length
}

function texts(block: readonly BlockLine[]): string[] {
  return block.map(({ text }) => text)
}

type Parts = SnippetLine['parts']

interface Paired {
  /** Lines that replaced another one, compared word by word. */
  readonly words: Map<number, Parts>
  /** Lines that differ in either version, and the lines next to them. */
  readonly near: Set<number>
}

/** Walks through both blocks in parallel, from one difference to the next. */
function pair(
  old: readonly BlockLine[],
  oldMarks: readonly boolean[],
  fresh: readonly BlockLine[],
  freshMarks: readonly boolean[],
): { old: Paired; new: Paired } {
  const found = {
    old: { words: new Map<number, Parts>(), near: new Set<number>() },
    new: { words: new Map<number, Parts>(), near: new Set<number>() },
  }
  let [row, column] = [0, 0]
  while (row < old.length || column < fresh.length) {
    const [fromRow, fromColumn] = [row, column]
    while (oldMarks[row] === true) row++
    while (freshMarks[column] === true) column++
    if (row > fromRow || column > fromColumn) {
      for (let index = fromRow - 1; index <= row; index++) found.old.near.add(index)
      for (let index = fromColumn - 1; index <= column; index++) found.new.near.add(index)
    }
    for (let index = 0; index < Math.min(row - fromRow, column - fromColumn); index++) {
      const [a, b] = [words(old[fromRow + index]?.text ?? ''), words(fresh[fromColumn + index]?.text ?? '')]
      const marks = difference(a, b)
      // A line that is cut is a part of a long one, which has what did not change around the position.
      const isCut = old[fromRow + index]?.text.startsWith('…') === true
      if (!isCut && marks.old.filter(Boolean).length > a.length * 0.8) continue
      found.old.words.set(fromRow + index, parts(a, marks.old))
      found.new.words.set(fromColumn + index, parts(b, marks.new))
    }
    row++
    column++
  }
  return found
}

function words(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|./gu) ?? []
}

function parts(pieces: readonly string[], marks: readonly boolean[]): Parts {
  const joined: { text: string; isMarked: boolean }[] = []
  for (const [index, text] of pieces.entries()) {
    const isMarked = marks[index] === true
    const last = joined.at(-1)
    if (last?.isMarked === isMarked) last.text += text
    else joined.push({ text, isMarked })
  }
  return joined
}

/** The enclosing line, the line of the position, and the differences with one line around them. */
function snippet(block: readonly BlockLine[], marks: readonly boolean[], { words, near }: Paired): Snippet {
  const kept = block.flatMap((line, index) =>
    index < 2 || (near.size > 0 ? near.has(index) : index < longestSnippet / 2) ? [{ line, index }] : [],
  )
  return kept.slice(0, longestSnippet).map(({ line: { number, text }, index }, position) => ({
    number,
    afterGap: position > 0 && (kept[position - 1]?.line.number ?? 0) + 1 < number,
    parts: words.get(index) ?? [{ text, isMarked: marks[index] === true }],
  }))
}
