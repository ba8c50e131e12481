import { partOf, wordsOf } from './words.js'

/** One part of a path: what is fixed in it, and its parameters. */
export interface Segment {
  /** None where it is parameters alone. */
  readonly words: readonly string[]
  readonly parameters: readonly string[]
}

/** A path as names read it: without `/api` at its start, `/v1` anywhere and `.json` at its end. */
export interface PathReading {
  readonly segments: readonly Segment[]
  /** What was left out, as part of a name; empty for nothing. */
  readonly prefix: string
}

export function readPath(path: string): PathReading {
  const texts = partsOfPath(path)
  const start = texts.findIndex((text) => !isHead(text))
  const kept = texts.filter((text, index) => index >= start && !isVersion(text))
  if (start === -1 || kept.length === 0) return { segments: texts.map(segmentOf), prefix: '' }
  const left = texts.filter((text, index) => index < start || isVersion(text))
  return {
    segments: kept.map(segmentOf),
    prefix: left.length === 0 ? '' : partOf(left.flatMap(wordsOf)),
  }
}

/** Every segment; those that names leave out are `optional`. */
export function allSegments(path: string): (Segment & { readonly optional: boolean })[] {
  return partsOfPath(path).map((text) => ({ ...segmentOf(text), optional: isHead(text) }))
}

function partsOfPath(path: string): string[] {
  return (
    path
      .replace(/\.(json|xml)$/i, '')
      // `/jobs/{id}:cancel` and `/token#refresh` name what is done as a segment of its own.
      .replace(/[:#](?=[A-Za-z][^/{}]*$)/, '/')
      .split('/')
      .filter((segment) => segment !== '')
  )
}

function isHead(text: string): boolean {
  return /^(api|rest)$/i.test(text) || isVersion(text)
}

function isVersion(text: string): boolean {
  return /^v\d+([._]\d+)*((alpha|beta)\d*)?$/i.test(text)
}

function segmentOf(text: string): Segment {
  const parameters = [...text.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '')
  const fixed = text.replace(/\{[^{}]*\}/g, ' ')
  const words = wordsOf(fixed)
  if (words.length > 0 || fixed.trim() === '') return { words, parameters }
  return { words: ['x'], parameters }
}
