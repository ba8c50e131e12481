import { type Cursor, childPointer, elements, member, members, text } from '../../../document/cursor.js'
import { own } from '../../../document/json.js'
import { essenceOf } from '../../../document/media-type.js'
import { compositions } from '../../../document/vocabulary.js'
import type { ChangeId } from '../../change/catalogue.js'
import type { Level } from '../../change/level.js'
import { asObject, referenced, type Side } from '../../change/side.js'
import { samePartsOf } from '../../same/unchanged.js'
import type { MediaPair } from './media.js'
import { type OperationPair, report } from './pair.js'

/** How to report what changed, and the name and path of the whole. */
interface Written {
  readonly id: ChangeId
  readonly title: string
  readonly path: string
}

/** Two schemas of the same value, and the names that they inherit. */
type Both = readonly [old: Cursor, fresh: Cursor, name?: string | undefined, freshName?: string | undefined]

/** Compares how values are written as XML (OpenAPI 3.2.0 section 4.26). A Duet service takes the whole as one text. */
export function xmlFacts(
  pair: OperationPair,
  { was, type, a, b }: MediaPair,
  { id, title, path }: Written,
): void {
  const [one, other] = [member(a, 'schema'), member(b, 'schema')]
  if (one === undefined || other === undefined || !isXml(was) || !isXml(type)) return
  const same = samePartsOf(pair.old.document.root, pair.new.document.root)
  const seen = new Set<string>()
  const compare = ([old, fresh, ...names]: Both, way: string): void => {
    if (names[0] === names[1] && same.have(old.value, fresh.value)) return
    const [before, after] = [nodeOf(pair.old, old, names[0]), nodeOf(pair.new, fresh, names[1])]
    const key = [before, after].map(({ cursor, name }) => `${cursor.pointer} ${name}`).join(' ')
    // The comparison of the schemas reports other types.
    if (seen.has(key) || before.isList !== after.isList) return
    seen.add(key)
    const level = levelOf(before, after)
    if (level !== undefined) {
      const values = [was, shown(before), shown(after)]
      const message = `${way === '' ? '' : `${way} of `}${title} is written another way in XML: ${shown(before)} to ${shown(after)}`
      report(pair, { id, level, message, old, new: fresh, path: path + way, values })
    }
    const [item, freshItem] = [before, after].map(({ cursor }) => member(cursor, 'items'))
    if (item !== undefined && freshItem !== undefined)
      compare([item, freshItem, before.name, after.name], `${way}/-`)
    const [fields, freshFields] = [fieldsOf(pair.old, before.cursor), fieldsOf(pair.new, after.cursor)]
    for (const [name, all] of fields)
      for (const [index, field] of all.entries()) {
        const found = freshFields.get(name)?.[index]
        if (found !== undefined) compare([field, found, name, name], way + childPointer('', name))
      }
  }
  compare([one, other], '')
}

function isXml(type: string): boolean {
  return /[/+]xml$/.test(essenceOf(type))
}

interface Node {
  readonly cursor: Cursor
  readonly isList: boolean
  readonly kind: string
  readonly name: string | undefined
  /** Whether the name is that of a component, which says so only since OpenAPI 3.2. */
  readonly isInferred: boolean
  readonly namespace: string | undefined
  readonly prefix: string | undefined
}

/** How the value of a schema is written. Without a name of its own it has that of the property or the component. */
function nodeOf(side: Side, from: Cursor, inherited: string | undefined): Node {
  let cursor = from
  let found = member(cursor, 'xml')
  for (let steps = 0; steps < 50; steps++) {
    const target = referenced(side, own(asObject(cursor.value), '$ref')) ?? onlyBranch(cursor)
    if (target === undefined) break
    cursor = target
    found ??= member(cursor, 'xml')
  }
  const xml = asObject(found?.value)
  const isList = [own(asObject(cursor.value), 'type')].flat().includes('array')
  const usual = own(xml, 'attribute') === true ? 'attribute' : 'element'
  const component = /^#\/components\/schemas\/([^/]+)$/.exec(cursor.pointer)?.[1]
  const isWrapped = own(xml, 'wrapped') === true
  return {
    cursor,
    isList,
    kind: text(xml, 'nodeType') ?? (isList && !isWrapped ? 'none' : usual),
    name: text(xml, 'name') ?? inherited ?? component,
    isInferred: text(xml, 'name') === undefined && inherited === undefined,
    namespace: text(xml, 'namespace'),
    prefix: text(xml, 'prefix'),
  }
}

/** The branch of a schema that only wraps it: `allOf` with one branch, and words next to it. */
function onlyBranch(cursor: Cursor): Cursor | undefined {
  if (member(cursor, 'properties') !== undefined) return undefined
  const branches = compositions.flatMap((keyword) => elements(member(cursor, keyword)))
  return branches.length === 1 ? branches[0] : undefined
}

/** The schemas of each property, in the schema and in what applies in the same place. */
function fieldsOf(side: Side, whole: Cursor): ReadonlyMap<string, readonly Cursor[]> {
  const found = new Map<string, Cursor[]>()
  const seen = new Set<string>()
  const read = (at: Cursor): void => {
    if (seen.has(at.pointer)) return
    seen.add(at.pointer)
    for (const field of members(member(at, 'properties')))
      found.set(field.key, [...(found.get(field.key) ?? []), field])
    const target = referenced(side, own(asObject(at.value), '$ref'))
    if (target !== undefined) read(target)
    for (const keyword of compositions) elements(member(at, keyword)).forEach(read)
  }
  read(whole)
  return found
}

/** The level of another spelling. Undefined if the XML is the same. */
function levelOf(was: Node, is: Node): Level | undefined {
  if (was.kind !== is.kind) return 'breaking'
  // Only elements and attributes have names, and the root has none if nothing gives it one.
  if (was.kind !== 'element' && was.kind !== 'attribute') return undefined
  if (was.namespace !== is.namespace) return 'breaking'
  const isRenamed = was.name !== is.name && was.name !== undefined && is.name !== undefined
  if (isRenamed) return was.isInferred || is.isInferred ? 'dangerous' : 'breaking'
  if (was.prefix === is.prefix) return undefined
  // Only its namespace gives a prefix its meaning (Namespaces in XML 1.0 section 3).
  return was.namespace === undefined ? 'breaking' : 'dangerous'
}

function shown({ kind, name, namespace, prefix }: Node): string {
  const whole = [prefix, name].filter((part) => part !== undefined).join(':')
  const label = kind === 'none' ? 'no element' : `${kind} ${whole}`.trim()
  return namespace === undefined ? label : `${label} in ${namespace}`
}
