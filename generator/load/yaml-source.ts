import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  type YAMLMap,
} from 'yaml'
import { diagnose } from './catalogue.js'
import type { Diagnostic } from './diagnostic.js'
import type { Json, Position } from './document.js'
import { type MutableObject, setOwn } from './json.js'
import { LineTable } from './lines.js'
import { maximumDepth, type Parsed } from './parsed.js'

/** Values that all aliases of a file together may stand for, so that a few lines can't fill the memory. */
const maximumAliased = 250_000

/** Parses YAML 1.2 (core schema) and keeps where everything stands. Merge keys (`<<`) are YAML 1.1 and stay plain keys. */
export function parseYaml(file: string, text: string): Parsed {
  const lines = new LineTable(file, text)
  const nothing = (diagnostic: Diagnostic) => ({ diagnostics: [diagnostic], locate: () => lines.position(0) })
  try {
    return read(text, lines)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return nothing(
      diagnose('document-too-deep', `More than ${maximumDepth} levels of nesting`, lines.position(0)),
    )
  }
}

function read(text: string, lines: LineTable): Parsed {
  const parsed = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    uniqueKeys: false, // quadratic there; the reader below finds them
    prettyErrors: false,
    resolveKnownTags: false,
    logLevel: 'error',
    lineCounter: new LineCounter(),
  })
  const diagnostics: Diagnostic[] = []
  for (const error of parsed.errors.slice(0, 20)) {
    // The parser recurses, and reports as syntax where its stack ends.
    if (/call stack/.test(error.message)) throw new RangeError(error.message)
    diagnostics.push(diagnose('yaml-syntax', error.message, lines.position(error.pos[0])))
  }
  for (const warning of parsed.warnings) {
    const code = warning.code === 'TAG_RESOLVE_FAILED' ? 'yaml-tag' : 'yaml-syntax'
    const message = warning.message
      .replace(/^Unresolved tag: (.*)$/, 'The tag $1 is unknown')
      .replace('tag:yaml.org,2002:', '!!')
    diagnostics.push(diagnose(code, message, lines.position(warning.pos[0])))
  }
  const reader = new Reader(lines, diagnostics)
  const locate = (segments: readonly string[]) => reader.locate(parsed.contents, segments)
  if (parsed.errors.length > 0) return { diagnostics, locate }
  const value = reader.value(parsed.contents, 0)
  return diagnostics.length > 0 ? { diagnostics, locate } : { value, diagnostics, locate }
}

/** Turns the syntax tree into JSON values and finds nodes by path. */
class Reader {
  readonly #lines: LineTable
  readonly #diagnostics: Diagnostic[]
  readonly #anchors = new Map<string, Node>()
  readonly #targets = new Map<Node, Node | undefined>()
  readonly #open = new Set<Node>()
  readonly #members = new WeakMap<YAMLMap, Map<string, { key: Node; value: Node | null }>>()
  #aliased = 0
  #aliasDepth = 0
  #exceeded = false

  constructor(lines: LineTable, diagnostics: Diagnostic[]) {
    this.#lines = lines
    this.#diagnostics = diagnostics
  }

  value(node: Node | null, depth: number): Json {
    if (node === null) return null
    if (depth > maximumDepth) throw new RangeError('too deep')
    if (this.#aliasDepth > 0 && ++this.#aliased > maximumAliased) return null
    if (isAlias(node)) return this.#alias(node, node.source, depth)
    if ('anchor' in node && typeof node.anchor === 'string' && this.#aliasDepth === 0)
      this.#anchors.set(node.anchor, node)
    if (isScalar(node)) return this.#scalar(node)
    this.#open.add(node)
    const value = isMap(node) ? this.#map(node, depth) : this.#list(node, depth)
    this.#open.delete(node)
    return value
  }

  locate(root: Node | null, segments: readonly string[]): Position {
    let node = this.#target(root)
    let found: Node | null = root
    for (const segment of segments) {
      if (isMap(node)) {
        const member = this.#membersOf(node).get(segment)
        if (member === undefined) break
        found = member.key
        node = this.#target(member.value)
      } else if (isSeq(node)) {
        const item = node.items[Number(segment)] as Node | undefined
        if (item === undefined) break
        found = item
        node = this.#target(item)
      } else break
    }
    return this.#position(found)
  }

  #alias(node: Node, name: string, depth: number): Json {
    const target = this.#targets.has(node) ? this.#targets.get(node) : this.#anchors.get(name)
    this.#targets.set(node, target)
    if (target === undefined) {
      this.#report('yaml-alias', `The alias *${name} has no anchor &${name} before it`, node)
      return null
    }
    if (this.#open.has(target)) {
      this.#report('yaml-alias', `The alias *${name} contains itself`, node)
      return null
    }
    this.#aliasDepth++
    const value = this.value(target, depth)
    this.#aliasDepth--
    if (this.#aliased > maximumAliased && this.#aliasDepth === 0 && !this.#exceeded) {
      this.#exceeded = true
      this.#report(
        'yaml-alias',
        `Up to the alias *${name}, aliases stand for more than ${maximumAliased} values`,
        node,
      )
    }
    return value
  }

  #scalar(node: Scalar): Json {
    const { value } = node
    if (typeof value === 'number' && !Number.isFinite(value)) {
      this.#report('not-json', `${node.source ?? String(value)} is a number that JSON does not have`, node)
      return null
    }
    if (
      value === null ||
      typeof value === 'string' ||
      typeof value === 'number' ||
      typeof value === 'boolean'
    )
      return value
    this.#report('not-json', 'This value has no form in JSON', node)
    return null
  }

  #map(node: YAMLMap, depth: number): Json {
    const object: MutableObject = {}
    const seen = new Map<string, Node>()
    for (const pair of node.items) {
      if (!isPair(pair)) continue
      const key = pair.key as Node
      const name = keyName(this.#keyTarget(key))
      if (name === undefined) {
        this.#report('not-json', 'A key has to be text; this one is a list, a map or an alias', key)
        continue
      }
      this.value(key, depth + 1)
      const earlier = seen.get(name)
      if (earlier !== undefined) {
        const related = [{ message: 'The first one', at: this.#position(earlier) }]
        if (this.#aliasDepth === 0)
          this.#report('duplicate-key', `The key ${JSON.stringify(name)} stands here twice`, key, related)
      } else seen.set(name, key)
      setOwn(object, name, this.value(pair.value as Node | null, depth + 1))
    }
    return object
  }

  #list(node: Node, depth: number): Json {
    return isSeq(node) ? node.items.map((item) => this.value(item as Node | null, depth + 1)) : null
  }

  #keyTarget(key: Node): Node | undefined {
    return isAlias(key) ? this.#anchors.get(key.source) : key
  }

  #target(node: Node | null): Node | null {
    return isAlias(node) ? (this.#targets.get(node) ?? null) : node
  }

  #membersOf(node: YAMLMap): Map<string, { key: Node; value: Node | null }> {
    let members = this.#members.get(node)
    if (members === undefined) {
      members = new Map()
      for (const pair of node.items) {
        const key = pair.key as Node
        const name = keyName(this.#keyTarget(key))
        if (name !== undefined && !members.has(name))
          members.set(name, { key, value: pair.value as Node | null })
      }
      this.#members.set(node, members)
    }
    return members
  }

  #position(node: Node | null): Position {
    return this.#lines.position(node?.range?.[0] ?? 0)
  }

  #report(
    code: 'yaml-alias' | 'not-json' | 'duplicate-key',
    message: string,
    node: Node,
    related?: Diagnostic['related'],
  ): void {
    this.#diagnostics.push(diagnose(code, message, this.#position(node), related && { related }))
  }
}

/** A key as text: `200:` is "200", `null:` is "null", as the source has it. */
function keyName(key: Node | null | undefined): string | undefined {
  if (!isScalar(key)) return key === null ? '' : undefined
  if (typeof key.value === 'string') return key.value
  return key.source ?? String(key.value)
}
