import type { Diagnostic } from '../load/diagnostic.js'
import type { Position } from '../load/document.js'
import { compareText } from './cursor.js'
import { Rivals } from './rivals.js'
import { TakenNames } from './taken-names.js'

/** What an operation's name is made from. */
export interface NameSource {
  /** `x-rpc-method` where it is a name. */
  readonly method: string | undefined
  readonly operationId: string | undefined
  readonly verb: string
  readonly path: string
  readonly at: () => Position
}

/**
 * The dotted name of every operation, in the order of the sources; unique, and none a dotted prefix of
 * another, so that each is a leaf of the client. Stated names (`x-rpc-method`) are kept or reported; those taken
 * from an operationId with a dot in it give way to them, and those derived from paths to both, whatever the order
 * of the document.
 */
export function nameOperations(sources: readonly NameSource[], diagnostics: Diagnostic[]): string[] {
  const names = new Map<NameSource, string>()
  const stated = sources.filter(({ method }) => method !== undefined)
  for (const source of stated) names.set(source, statedName(source, diagnostics))
  reportClashes(stated, names, diagnostics)

  const derived = sources
    .filter(({ method }) => method === undefined)
    .sort((a, b) => compareText(a.path, b.path) || compareText(a.verb, b.verb))
  for (const source of derived) names.set(source, wantedName(source))
  const fromPaths = derived.filter((source) => dottedId(source) === undefined)
  for (const group of clashing(fromPaths, names)) {
    for (const source of group) names.set(source, derivedName(source, true))
  }
  const taken = new TakenNames(stated.map((source) => names.get(source) ?? ''))
  const ordered = derived.sort(
    (a, b) =>
      Number(dottedId(a) === undefined) - Number(dottedId(b) === undefined) ||
      length(names, b) - length(names, a) ||
      compareText(a.path, b.path) ||
      compareText(a.verb, b.verb),
  )
  for (const source of ordered) {
    const wanted = names.get(source) ?? ''
    const name = settle(wanted, source, taken)
    taken.add(name)
    names.set(source, name)
  }
  const rivals = new Rivals(sources, (source) => names.get(source) ?? '')
  const wishes = new Rivals(derived, wantedName)
  for (const source of ordered) {
    const wanted = wantedName(source)
    const name = names.get(source) ?? ''
    if (name === wanted) continue
    const rival = rivals.of(source, wanted) ?? wishes.of(source, wanted)
    diagnostics.push(renamed(source, name, wanted, rival))
  }
  return sources.map((source) => names.get(source) ?? '')
}

const namePattern = /^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$/

/**
 * First parts that no name begins with: `rpc` (JSON-RPC 2.0 section 4.3), `then`, which would make a
 * client a promise, and `default`, the namespace of names without a dot.
 */
const reserved = new Set(['default', 'rpc', 'then'])

/** What an operation without a stated name is called where nothing else is called so. */
function wantedName(source: NameSource): string {
  return dottedId(source) ?? derivedName(source, false)
}

/** The operationId where it can be a name with a namespace. */
function dottedId({ operationId }: NameSource): string | undefined {
  if (!operationId?.includes('.') || !namePattern.test(operationId)) return undefined
  return reserved.has(operationId.split('.')[0] ?? '') ? undefined : operationId
}

function statedName(source: NameSource, diagnostics: Diagnostic[]): string {
  const name = source.method ?? ''
  const first = name.split('.')[0] ?? ''
  if (namePattern.test(name) && !reserved.has(first)) return name
  diagnostics.push({
    code: 'rpc-method-invalid',
    severity: 'error',
    message: namePattern.test(name)
      ? `The method name ${JSON.stringify(name)} begins with ${JSON.stringify(first)}, which is reserved`
      : `${JSON.stringify(name)} is not a method name`,
    remedy: 'Write x-rpc-method as dotted words of letters, digits and _, none beginning with a digit.',
    at: source.at(),
  })
  return derivedName(source, true)
}

function derivedName(source: NameSource, withParameters: boolean): string {
  // An ending says how the answer is written, not what it is.
  const path = source.path.replace(/\.(json|xml)$/i, '')
  const segments = path.split('/').filter((segment) => segment !== '')
  const words = segments.flatMap((segment) => {
    const fixed = segment.replace(/\{[^}]*\}/g, ' ')
    if (fixed.trim() !== '') return [word(fixed)]
    return withParameters ? [word(`by ${segment}`)] : []
  })
  const last = segments.at(-1)
  const onItem = last !== undefined && /^\{[^}]*\}$/.test(last)
  const first = words[0]
  const parts = first === undefined ? [] : [reserved.has(first) ? `${first}_` : first, ...words.slice(1)]
  return [...parts, verbWord(source.verb, onItem)].join('.')
}

function verbWord(verb: string, onItem: boolean): string {
  if (verb === 'get') return onItem ? 'get' : 'list'
  return verbs.get(verb) ?? word(verb)
}

const verbs = new Map([
  ['post', 'create'],
  ['put', 'replace'],
  ['patch', 'update'],
])

/** `exchange-rate` becomes `exchange_rate`; what is no ASCII letter or digit is spelled by its code point. */
function word(text: string): string {
  const spelled = text.replace(
    /[^\x20-\x7e]/gu,
    (character) => ` u${character.codePointAt(0)?.toString(16)} `,
  )
  const words = spelled.split(/[^A-Za-z0-9]+/).filter((part) => part !== '')
  const joined = words.length === 0 ? 'x' : words.join('_')
  return /^[A-Za-z]/.test(joined) ? joined : `n${joined}`
}

/** The wanted name, changed until it is free and neither begins nor continues another name. */
function settle(wanted: string, source: NameSource, taken: TakenNames): string {
  const candidates = function* (): Generator<string> {
    yield wanted
    yield `${wanted}_${word(source.verb)}`
    const parts = wanted.split('.')
    for (let joined = 2; joined <= parts.length; joined++) {
      yield [...parts.slice(0, -joined), parts.slice(-joined).join('_')].join('.')
    }
    for (;;) yield `${wanted}_${taken.count(wanted)}`
  }
  for (const name of candidates()) {
    if (!reserved.has(name) && !taken.meets(name)) return name
  }
  return wanted
}

function reportClashes(
  stated: readonly NameSource[],
  names: ReadonlyMap<NameSource, string>,
  diagnostics: Diagnostic[],
): void {
  const first = new Map<string, NameSource>()
  const ordered = [...stated].sort((a, b) => compareText(a.path, b.path) || compareText(a.verb, b.verb))
  for (const source of ordered) {
    const name = names.get(source) ?? ''
    const other = first.get(name)
    if (other === undefined) first.set(name, source)
    else
      diagnostics.push(clash('rpc-method-duplicate', `Two operations have the name ${name}`, source, other))
  }
  for (const [name, source] of first) {
    const parts = name.split('.')
    for (let count = 1; count < parts.length; count++) {
      const prefix = parts.slice(0, count).join('.')
      const other = first.get(prefix)
      if (other === undefined) continue
      diagnostics.push(
        clash('rpc-method-prefix', `The name ${name} continues the name ${prefix}`, source, other),
      )
    }
  }
}

function clash(code: string, message: string, source: NameSource, other: NameSource): Diagnostic {
  return {
    code,
    severity: 'error',
    message,
    remedy: 'Give one of the two another x-rpc-method.',
    at: source.at(),
    related: [{ message: titleOf(other), at: other.at() }],
  }
}

function renamed(
  source: NameSource,
  name: string,
  wanted: string,
  rival: NameSource | undefined,
): Diagnostic {
  const reason = rival === undefined ? 'is reserved' : `clashes with the name of ${titleOf(rival)}`
  return {
    code: 'operation-renamed',
    severity: 'warning',
    message: `${titleOf(source)} is named ${name}, since ${wanted} ${reason}`,
    remedy: 'State the name with x-rpc-method.',
    at: source.at(),
    ...(rival !== undefined && { related: [{ message: titleOf(rival), at: rival.at() }] }),
  }
}

function titleOf({ verb, path }: NameSource): string {
  return `${verb.toUpperCase()} ${path}`
}

function clashing(
  sources: readonly NameSource[],
  names: ReadonlyMap<NameSource, string>,
): (readonly NameSource[])[] {
  const groups = new Map<string, NameSource[]>()
  for (const source of sources) {
    const name = names.get(source) ?? ''
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [source])
    else group.push(source)
  }
  return [...groups.values()].filter((group) => group.length > 1)
}

function length(names: ReadonlyMap<NameSource, string>, source: NameSource): number {
  return (names.get(source) ?? '').split('.').length
}
