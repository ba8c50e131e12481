import { partOf, wordsOf } from './words.js'

/** One segment of a path. */
export interface Segment {
  /** The words of its fixed text. Empty if the segment is a parameter. */
  readonly words: readonly string[]
  readonly parameters: readonly string[]
}

/** The parts of a path that names use. */
export interface PathReading {
  readonly segments: readonly Segment[]
  /** The omitted versions and `api`, as part of a name. Empty if there are none. */
  readonly prefix: string
}

/**
 * The most segments that a name uses, counted from the end. A name has one part for each, and hostile paths
 * have thousands.
 */
const mostSegments = 20

/** The path that was read last: each rule that names an operation reads its path. */
let last: { readonly path: string; readonly reading: PathReading } | undefined

/** Reads a path without `/api` at the start, `/v1` and `/2010-04-01` anywhere and `.json` at the end. */
export function readPath(path: string): PathReading {
  if (last?.path !== path) last = { path, reading: reading(path) }
  return last.reading
}

function reading(path: string): PathReading {
  const texts = partsOfPath(path)
  const start = texts.findIndex((text) => !isHead(text))
  const kept = texts.filter((text, index) => index >= start && !isVersion(text)).slice(-mostSegments)
  if (start === -1 || kept.length === 0)
    return { segments: texts.slice(-mostSegments).map(segmentOf), prefix: '' }
  const omitted = texts.filter((text, index) => index < start || isVersion(text)).slice(-mostSegments)
  return {
    segments: kept.map(segmentOf),
    prefix: omitted.length === 0 ? '' : partOf(omitted.flatMap(wordsOf)),
  }
}

/** The path's parameters as parts of names. */
export function parametersOf(path: string): string[] {
  return readPath(path).segments.flatMap(({ parameters }) => parameters.map((name) => partOf(wordsOf(name))))
}

export function endsInParameter(path: string): boolean {
  return (readPath(path).segments.at(-1)?.parameters ?? []).length > 0
}

/** The parts of a path that is the name of one method: `/chat.postMessage`. Undefined for any other. */
export function methodPath(path: string): string[] | undefined {
  const texts = partsOfPath(path).filter((text) => !isHead(text))
  const [text = ''] = texts
  const isMethod =
    texts.length === 1 && /^[A-Za-z][\w-]*(?:\.[A-Za-z][\w-]*)+$/.test(text) && !file.test(text)
  return isMethod ? text.split('.').map((part) => partOf(wordsOf(part))) : undefined
}

/** The name of a file: `/robots.txt`. */
const file = /\.(?:aspx?|cgi|css|csv|do|html?|ico|js|jsp|pdf|php|png|svg|txt|ya?ml)$/i

/** Every segment. Names omit the `optional` ones. */
export function allSegments(path: string): (Segment & { readonly optional: boolean })[] {
  return partsOfPath(path).map((text) => ({ ...segmentOf(text), optional: isHead(text) }))
}

function partsOfPath(path: string): string[] {
  const texts = path
    .replace(/\.(json|xml)$/i, '')
    .split('/')
    .filter((segment) => segment !== '')
  return [...texts.slice(0, -1), ...texts.slice(-1).flatMap(withAction)]
}

/** `{id}:cancel` and `token#refresh` have an action after the resource. */
function withAction(text: string): string[] {
  const mark = text.search(/[:#]/)
  const action = text.slice(mark + 1)
  const isAction = mark > 0 && /^[A-Za-z]/.test(action) && !/[{}]/.test(action)
  return isAction ? [text.slice(0, mark), action] : [text]
}

function isHead(text: string): boolean {
  return /^(api|rest)$/i.test(text) || isVersion(text)
}

function isVersion(text: string): boolean {
  return /^(v\d+([._]\d+)*((alpha|beta)\d*)?|20\d\d-\d\d(-\d\d)?)$/i.test(text)
}

function segmentOf(text: string): Segment {
  const parameters = [...text.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '')
  const fixed = text.replace(/\{[^{}]*\}/g, ' ')
  const words = wordsOf(fixed)
  if (words.length > 0 || fixed.trim() === '') return { words, parameters }
  return { words: ['x'], parameters }
}
