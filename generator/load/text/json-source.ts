import { createRequire } from 'node:module'
import { inexactPlaces } from 'duet-runtime/json'
import type * as jsoncParser from 'jsonc-parser'
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import type { Json } from '../../document/document.js'
import { isArray, isObject } from '../../document/json.js'
import { valueAt } from '../../document/pointer.js'
import { noteDigits } from '../../document/written-digits.js'
import { JsonIndex } from './json-index.js'
import { LineTable } from './lines.js'
import { maximumDepth, type Parsed } from './parsed.js'

/** Parses JSON (RFC 8259) and records the position of every part. */
export function parseJson(file: string, text: string): Parsed {
  const lines = new LineTable(file, text)
  const nothing = { locate: () => lines.position(0) }
  const plain = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text
  const index = new JsonIndex(plain)
  if (index.tooDeep !== undefined) {
    const message = `More than ${maximumDepth} levels of nesting`
    return {
      ...nothing,
      diagnostics: [diagnose('document-too-deep', message, lines.position(index.tooDeep))],
    }
  }
  const locate = (segments: readonly string[]) => lines.position(index.offsetAt(segments))
  let value: Json
  try {
    value = JSON.parse(plain) as Json
  } catch (error) {
    return { ...nothing, diagnostics: syntaxErrors(plain, lines, error) }
  }
  // JSON.parse silently keeps the last of two members with the same name.
  const { members, areFinite } = survey(value)
  if (members !== index.members) return { locate, diagnostics: duplicateKeys(plain, lines) }
  // JSON.parse turns a number that is too large into Infinity.
  if (!areFinite) return { locate, diagnostics: endlessNumbers(plain, lines) }
  if (index.isRounded) noteRounded(plain, value)
  return { value, locate, diagnostics: [] }
}

function noteRounded(text: string, value: Json): void {
  for (const { token, keys } of inexactPlaces(text)) {
    const holder = valueAt(value, keys.slice(0, -1))
    if (typeof holder === 'object' && holder !== null) noteDigits(holder, keys.at(-1) ?? '', token)
  }
}

/** Members of all objects of a value, and whether all of its numbers are finite. */
function survey(value: Json): { readonly members: number; readonly areFinite: boolean } {
  let members = 0
  let areFinite = true
  const visit = (part: Json): void => {
    if (typeof part === 'number') areFinite &&= Number.isFinite(part)
    else if (isArray(part)) part.forEach(visit)
    else if (isObject(part))
      // A list of the names or values would take twice as long.
      for (const key in part) {
        members++
        visit(part[key] ?? null)
      }
  }
  visit(value)
  return { members, areFinite }
}

/** A parser that continues after errors. Loaded only if there is one. */
function tolerantParser(): typeof jsoncParser {
  return createRequire(import.meta.url)('jsonc-parser')
}

function syntaxErrors(text: string, lines: LineTable, cause: unknown): Diagnostic[] {
  const { parseTree, printParseErrorCode } = tolerantParser()
  const errors: jsoncParser.ParseError[] = []
  const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false })
  const found = errors.slice(0, 20).flatMap(({ error, offset }, index) => {
    if (errors.findIndex((other) => other.offset === offset) < index) return []
    const words = printParseErrorCode(error).replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    return [diagnose('json-syntax', `Not JSON: ${words.toLowerCase()}`, lines.position(offset))]
  })
  if (found.length > 0) return found
  // JSON.parse is stricter: it also refuses control characters in strings.
  const message =
    tree === undefined ? 'The file is empty' : cause instanceof Error ? cause.message : String(cause)
  return [diagnose('json-syntax', message, lines.position(0))]
}

function duplicateKeys(text: string, lines: LineTable): Diagnostic[] {
  const tree = tolerantParser().parseTree(text)
  const found: Diagnostic[] = []
  const visit = (node: jsoncParser.Node): void => {
    const first = new Map<string, jsoncParser.Node>()
    for (const child of node.children ?? []) {
      const key = child.type === 'property' ? child.children?.[0] : undefined
      if (key !== undefined) {
        const earlier = first.get(String(key.value))
        if (earlier === undefined) first.set(String(key.value), key)
        else {
          const related = [{ message: 'The first one', at: lines.position(earlier.offset) }]
          const message = `The key ${JSON.stringify(key.value)} is here twice`
          found.push(diagnose('duplicate-key', message, lines.position(key.offset), { related }))
        }
      }
      const value = child.type === 'property' ? child.children?.[1] : child
      if (value?.children !== undefined) visit(value)
    }
  }
  if (tree !== undefined) visit(tree)
  return found
}

function endlessNumbers(text: string, lines: LineTable): Diagnostic[] {
  const root = tolerantParser().parseTree(text)
  const found: Diagnostic[] = []
  const waiting = root === undefined ? [] : [root]
  for (let node = waiting.pop(); node !== undefined && found.length < 20; node = waiting.pop()) {
    waiting.push(...(node.children ?? []).toReversed())
    if (node.type !== 'number' || Number.isFinite(node.value)) continue
    const number = text.slice(node.offset, node.offset + node.length)
    const shown = number.length > 40 ? `${number.slice(0, 40)}…` : number
    found.push(
      diagnose('number-too-large', `${shown} is too large for a double`, lines.position(node.offset)),
    )
  }
  return found
}
