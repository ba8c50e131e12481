import type { Json } from '../../document/document.js'
import { isArray, isObject } from '../../document/json.js'
import { inertJson } from '../change/inert.js'

/** A repetition in a text, shown as the expression that builds it. */
export interface Run {
  readonly unit: string
  readonly count: number
}

/** Shorter repetitions are written out. */
const shortestRun = 200
const longestUnit = 16

/** Splits a text into plain parts and long repetitions. */
export function runsOf(text: string): (string | Run)[] {
  if (!mayRepeat(text)) return text === '' ? [] : [text]
  const parts: (string | Run)[] = []
  let from = 0
  for (let at = 0; at + shortestRun <= text.length; ) {
    const run = runAt(text, at)
    if (run === undefined) at += 1
    else {
      if (at > from) parts.push(text.slice(from, at))
      parts.push(run)
      at += run.unit.length * run.count
      from = at
    }
  }
  return from < text.length ? [...parts, text.slice(from)] : parts
}

/**
 * A long repetition covers at least one of these parts completely. Few texts have such a part, so this check is quick.
 */
function mayRepeat(text: string): boolean {
  const size = shortestRun / 2
  for (let at = 0; at + size <= text.length; at += size)
    for (let width = 1; width <= longestUnit; width++) {
      let end = at + width
      while (end < at + size && text[end] === text[end - width]) end++
      if (end === at + size) return true
    }
  return false
}

function runAt(text: string, at: number): Run | undefined {
  for (let width = 1; width <= longestUnit; width++) {
    // Most texts differ at the first character.
    let end = at + width
    while (end < text.length && text[end] === text[end - width]) end++
    const unit = text.slice(at, at + width)
    if (end - at >= shortestRun && !/[\n\r\ud800-\udfff]/.test(unit))
      return { unit, count: Math.floor((end - at) / width) }
  }
  return undefined
}

/**
 * JSON for people: a long repetition is the expression that builds it, such as `"a".repeat(15001)`, and so is a long
 * list of equal items.
 */
export function shownJson(value: Json, indent = 0, depth = 0): string {
  if (typeof value === 'string') return shownText(value)
  const isList = isArray(value)
  if (!isList && !isObject(value)) return inertJson(value)
  const [first] = isList ? value : []
  if (isList && first !== undefined && value.length > 50 && isOfOne(value))
    return `Array(${value.length}).fill(${shownJson(first)})`
  const items = isList
    ? value.map((item) => shownJson(item, indent, depth + 1))
    : Object.entries(value).map(
        ([name, item]) =>
          `${inertJson(name)}:${indent === 0 ? '' : ' '}${shownJson(item, indent, depth + 1)}`,
      )
  const [open, close] = isList ? '[]' : '{}'
  if (indent === 0 || items.length === 0) return `${open}${items.join(',')}${close}`
  const pad = (by: number): string => `\n${' '.repeat(indent * by)}`
  return `${open}${pad(depth + 1)}${items.join(`,${pad(depth + 1)}`)}${pad(depth)}${close}`
}

function shownText(text: string): string {
  return (
    runsOf(text)
      .map((part) =>
        typeof part === 'string' ? inertJson(part) : `${inertJson(part.unit)}.repeat(${part.count})`,
      )
      .join(' + ') || '""'
  )
}

function isOfOne(list: readonly Json[]): boolean {
  const [first] = list.map((item) => JSON.stringify(item))
  return list.every((item) => JSON.stringify(item) === first)
}
