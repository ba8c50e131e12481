import type { Node, Scalar, ScalarTag, YAMLMap } from 'yaml'
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import type { Json, JsonObject, Position } from '../../document/document.js'
import { isArray, isObject, type MutableObject, setOwn } from '../../document/json.js'
import { keepDigitsAt, noteDigits } from '../../document/written-digits.js'
import { LineTable } from './lines.js'
import { maximumDepth, type Parsed } from './parsed.js'
import { readPlainYaml } from './plain-yaml.js'
import { yaml } from './yaml.js'
import { indentedKey, indentedText, outdentedLine, outdentedText, syntaxTexts } from './yaml-syntax.js'

/** How many values all aliases of a file may represent together. It prevents a few lines from filling the memory. */
const maximumAliased = 250_000

/**
 * Parses YAML 1.2 (core schema) with the merge keys of YAML 1.1 (`<<: *base`,
 * https://yaml.org/type/merge.html), and records the position of every part. Merged parts have the position
 * of their anchor.
 */
export function parseYaml(file: string, text: string): Parsed {
  const lines = new LineTable(file, text)
  const plain = readPlainYaml(text)
  if (plain === undefined) return parseAnyYaml(file, text)
  return { value: plain.value, diagnostics: [], locate: (path) => lines.position(plain.offsetAt(path)) }
}

/** Reads with the package `yaml`, which supports all of YAML and reports errors. */
export function parseAnyYaml(file: string, text: string): Parsed {
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

/**
 * `!!float 100`, which some writers produce for a float without a fraction. The package's own tag requires a
 * fraction or an exponent, but YAML 1.2.2, section 10.2.1.4, allows the tag for any number.
 */
const wholeFloat: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  test: /^[-+]?[0-9]+$/,
  resolve: Number,
}

function read(text: string, lines: LineTable): Parsed {
  const parsed = yaml().parseDocument(text, {
    version: '1.2',
    schema: 'core',
    uniqueKeys: false, // quadratic in the package; the reader below finds duplicates
    prettyErrors: false,
    resolveKnownTags: false,
    customTags: (tags) => [...tags, wholeFloat],
    logLevel: 'error',
    lineCounter: new (yaml().LineCounter)(),
  })
  const diagnostics: Diagnostic[] = []
  for (const error of parsed.errors.slice(0, 20)) {
    // The parser recurses. If its stack overflows, it reports a syntax error.
    if (/call stack/.test(error.message)) throw new RangeError(error.message)
    const outdented = outdentedLine(error, text)
    if (outdented !== undefined) {
      diagnostics.push(
        diagnose('yaml-syntax', outdentedText.message, lines.position(outdented), outdentedText),
      )
      break // the rest is no longer what the author meant
    }
    const indented = parsed.errors
      .map((one) => indentedKey(one, text))
      .find((key) => key?.from === error.pos[0])
    if (indented !== undefined) {
      const { key, at } = indented
      const message = `The key ${key} is indented more than the key above, which has a value already`
      diagnostics.push(diagnose('yaml-syntax', message, lines.position(at), indentedText))
      break
    }
    const { message, ...more } = syntaxTexts.get(error.code) ?? { message: error.message }
    diagnostics.push(diagnose('yaml-syntax', message, lines.position(error.pos[0]), more))
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

/** Turns the syntax tree into JSON values, and finds nodes by path. */
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
    if (yaml().isAlias(node)) return this.#alias(node, node.source, depth)
    if ('anchor' in node && typeof node.anchor === 'string' && this.#aliasDepth === 0)
      this.#anchors.set(node.anchor, node)
    if (yaml().isScalar(node)) return this.#scalar(node)
    this.#open.add(node)
    const value = yaml().isMap(node) ? this.#map(node, depth) : this.#list(node, depth)
    this.#open.delete(node)
    return value
  }

  locate(root: Node | null, segments: readonly string[]): Position {
    let node = this.#target(root)
    let found: Node | null = root
    for (const segment of segments) {
      if (yaml().isMap(node)) {
        const member = this.#membersOf(node).get(segment)
        if (member === undefined) break
        found = member.key
        node = this.#target(member.value)
      } else if (yaml().isSeq(node)) {
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
        `Up to the alias *${name}, aliases expand to more than ${maximumAliased} values`,
        node,
      )
    }
    return value
  }

  #scalar(node: Scalar): Json {
    const { value } = node
    if (typeof value === 'number' && !Number.isFinite(value)) {
      const source = node.source ?? String(value)
      if (/\d/.test(source)) this.#report('number-too-large', `${source} is too large for a double`, node)
      else this.#report('not-json', `${source} is a number that JSON does not have`, node)
      return null
    }
    if (
      value === null ||
      typeof value === 'string' ||
      typeof value === 'number' ||
      typeof value === 'boolean'
    )
      return value
    this.#report('not-json', 'JSON has no such value', node)
    return null
  }

  #map(node: YAMLMap, depth: number): Json {
    const object: MutableObject = {}
    const seen = new Map<string, Node>()
    const merged: MutableObject = {}
    for (const pair of node.items) {
      if (!yaml().isPair(pair)) continue
      const key = pair.key as Node
      const name = keyName(this.#keyTarget(key))
      if (name === undefined) {
        this.#report('not-json', 'A key must be text; this one is a list, a map or an alias', key)
        continue
      }
      this.value(key, depth + 1)
      const earlier = seen.get(name)
      if (earlier !== undefined) {
        const related = [{ message: 'The first one', at: this.#position(earlier) }]
        if (this.#aliasDepth === 0)
          this.#report('duplicate-key', `The key ${JSON.stringify(name)} is here twice`, key, related)
      } else seen.set(name, key)
      const value = this.value(pair.value as Node | null, depth + 1)
      if (isMergeKey(key)) this.#merge(merged, value, key)
      else {
        setOwn(object, name, value)
        this.#note(object, name, pair.value as Node | null)
      }
    }
    inherit(object, merged)
    return object
  }

  #merge(into: MutableObject, value: Json, key: Node): void {
    const parts = isArray(value) ? value : [value]
    if (!parts.every(isObject))
      this.#report('yaml-merge', 'The merge key << has neither a map nor a list of maps', key)
    for (const part of parts.filter(isObject)) inherit(into, part)
  }

  #list(node: Node, depth: number): Json {
    if (!yaml().isSeq(node)) return null
    const list = node.items.map((item) => this.value(item as Node | null, depth + 1))
    for (const [index, item] of node.items.entries()) this.#note(list, index, item as Node | null)
    return list
  }

  #note(holder: object, key: string | number, node: Node | null): void {
    const target = this.#target(node)
    if (!yaml().isScalar(target) || typeof target.value !== 'number') return
    noteDigits(holder, key, target.source ?? String(target.value))
  }

  #keyTarget(key: Node): Node | undefined {
    return yaml().isAlias(key) ? this.#anchors.get(key.source) : key
  }

  #target(node: Node | null): Node | null {
    return yaml().isAlias(node) ? (this.#targets.get(node) ?? null) : node
  }

  #membersOf(node: YAMLMap): Map<string, { key: Node; value: Node | null }> {
    let members = this.#members.get(node)
    if (members === undefined) {
      members = new Map()
      this.#members.set(node, members) // before its merge keys, which may refer back to this node
      const bases: (Node | null)[] = []
      for (const pair of node.items) {
        const key = pair.key as Node
        const name = keyName(this.#keyTarget(key))
        const value = pair.value as Node | null
        if (isMergeKey(key)) bases.push(this.#target(value))
        else if (name !== undefined && !members.has(name)) members.set(name, { key, value })
      }
      for (const base of bases) {
        const maps = yaml().isSeq(base) ? base.items.map((item) => this.#target(item as Node | null)) : [base]
        for (const [name, member] of maps.flatMap((map) =>
          yaml().isMap(map) ? [...this.#membersOf(map)] : [],
        ))
          if (!members.has(name)) members.set(name, member)
      }
    }
    return members
  }

  #position(node: Node | null): Position {
    return this.#lines.position(node?.range?.[0] ?? 0)
  }

  #report(
    code: 'yaml-alias' | 'yaml-merge' | 'not-json' | 'number-too-large' | 'duplicate-key',
    message: string,
    node: Node,
    related?: Diagnostic['related'],
  ): void {
    this.#diagnostics.push(diagnose(code, message, this.#position(node), related && { related }))
  }
}

/** An unquoted `<<`. A quoted one is a member of this name. */
function isMergeKey(key: Node | null): boolean {
  return yaml().isScalar(key) && key.value === '<<' && key.type === 'PLAIN'
}

/** Adds missing members. Nearer ones win over merged ones. */
function inherit(object: MutableObject, base: JsonObject): void {
  for (const [name, value] of Object.entries(base))
    if (!Object.hasOwn(object, name)) {
      setOwn(object, name, value)
      keepDigitsAt([base, name], [object, name])
    }
}

/** A key as text, as in the source: `200:` is "200", `null:` is "null". */
function keyName(key: Node | null | undefined): string | undefined {
  if (!yaml().isScalar(key)) return key === null ? '' : undefined
  if (typeof key.value === 'string') return key.value
  return key.source ?? String(key.value)
}
