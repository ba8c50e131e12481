import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { diagnose } from './catalogue.js'
import type { Diagnostic } from './diagnostic.js'
import type { Json } from './document.js'
import { LineTable } from './lines.js'
import { maximumDepth, type Parsed } from './parsed.js'

/** Parses JSON (RFC 8259) and keeps where everything stands. */
export function parseJson(file: string, text: string): Parsed {
  const lines = new LineTable(file, text)
  const diagnostics: Diagnostic[] = []
  const nothing = { diagnostics, locate: () => lines.position(0) }
  const tooDeep = offsetBelow(text, maximumDepth)
  if (tooDeep !== undefined) {
    diagnostics.push(
      diagnose('document-too-deep', `More than ${maximumDepth} levels of nesting`, lines.position(tooDeep)),
    )
    return nothing
  }
  const plain = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text
  const errors: ParseError[] = []
  const tree = parseTree(plain, errors, { disallowComments: true, allowTrailingComma: false })
  const offsets = new Set<number>()
  for (const error of errors.slice(0, 20)) {
    if (offsets.has(error.offset)) continue
    offsets.add(error.offset)
    diagnostics.push(diagnose('json-syntax', syntaxMessage(error), lines.position(error.offset)))
  }
  if (tree === undefined || errors.length > 0) {
    if (errors.length === 0) diagnostics.push(diagnose('json-syntax', 'The file is empty', lines.position(0)))
    return nothing
  }
  reportDuplicateKeys(tree, lines, diagnostics)
  const locate = (segments: readonly string[]) => lines.position(offsetAt(tree, segments))
  if (diagnostics.length > 0) return { diagnostics, locate }
  try {
    return { value: JSON.parse(plain) as Json, diagnostics, locate }
  } catch (error) {
    // JSON.parse is the stricter of the two: it also refuses control characters within strings.
    diagnostics.push(
      diagnose('json-syntax', error instanceof Error ? error.message : String(error), lines.position(0)),
    )
    return nothing
  }
}

function syntaxMessage(error: ParseError): string {
  const words = printParseErrorCode(error.error).replaceAll(/([a-z])([A-Z])/g, '$1 $2')
  return `Not JSON: ${words.toLowerCase()}`
}

/** Offset of the first bracket below the allowed depth. A scan, since the parser recurses. */
function offsetBelow(text: string, depth: number): number | undefined {
  let level = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === 0x22) {
      for (at++; at < text.length && text.charCodeAt(at) !== 0x22; at++)
        if (text.charCodeAt(at) === 0x5c) at++
    } else if (character === 0x7b || character === 0x5b) {
      if (++level > depth) return at
    } else if (character === 0x7d || character === 0x5d) {
      level--
    }
  }
  return undefined
}

function reportDuplicateKeys(node: Node, lines: LineTable, diagnostics: Diagnostic[]): void {
  const first = new Map<string, Node>()
  for (const child of node.children ?? []) {
    const key = child.type === 'property' ? child.children?.[0] : undefined
    if (key !== undefined) {
      const earlier = first.get(String(key.value))
      if (earlier === undefined) first.set(String(key.value), key)
      else {
        const related = [{ message: 'The first one', at: lines.position(earlier.offset) }]
        const message = `The key ${JSON.stringify(key.value)} stands here twice`
        diagnostics.push(diagnose('duplicate-key', message, lines.position(key.offset), { related }))
      }
    }
    const value = child.type === 'property' ? child.children?.[1] : child
    if (value?.children !== undefined) reportDuplicateKeys(value, lines, diagnostics)
  }
}

const membersByName = new WeakMap<Node, Map<string, Node>>()

function offsetAt(tree: Node, segments: readonly string[]): number {
  let node: Node | undefined = tree
  let offset = tree.offset
  for (const segment of segments) {
    if (node?.type === 'object') {
      const property = membersOf(node).get(segment)
      if (property === undefined) return offset
      offset = property.offset
      node = property.children?.[1]
    } else {
      node = node?.type === 'array' ? node.children?.[Number(segment)] : undefined
      if (node === undefined) return offset
      offset = node.offset
    }
  }
  return offset
}

function membersOf(node: Node): Map<string, Node> {
  let members = membersByName.get(node)
  if (members === undefined) {
    members = new Map(node.children?.map((property) => [String(property.children?.[0]?.value), property]))
    membersByName.set(node, members)
  }
  return members
}
