// What callers notice of two schemas, decided only by AJV.

import { Ajv2020 } from 'ajv/dist/2020.js'
import { instances } from '../../generator/dist/contains/instances.js'
import { Judge } from '../../generator/dist/contains/judge.js'
import { described } from '../../generator/dist/diff/decide/described.js'
import { says } from '../attack-contains/says.mjs'
import { mutated, near, universe } from '../attack-contains/values.mjs'

const dialect = '2020-12'
const judge = new Judge(dialect)

/** A schema with its components, as a document. */
export function alone({ schema, shared }) {
  return { ...schema, components: { schemas: shared } }
}

/**
 * A value that one schema sends and the other refuses, out of thousands. Properties that a direction omits are
 * not sent, and neither are members that the sender's schema does not describe.
 */
export function overlooked(direction, from, to, random) {
  const [sender, receiver] = asSent(direction, from, to)
  const components = new Map(Object.entries(sender.shared))
  const [gives, keeps, takes] = [
    judge.compile(alone(sender)),
    judge.compile(described({ schema: sender.schema, components }, new Set())),
    judge.compile(alone(receiver)),
  ]
  if ([gives, keeps, takes].some((one) => typeof one === 'string')) return undefined
  const fills = direction === 'request' ? filling(alone(receiver)) : takes
  const shows = (value) =>
    says(gives, value) && says(keeps, value) && !says(takes, value) && !says(fills, structuredClone(value))
  const found = [
    ...near([sender, receiver]),
    ...instances(alone(sender), 12, { dialect, seed: random.below(1000) }),
    ...instances(described({ schema: sender.schema, components }, new Set()), 12, { dialect }),
  ]
  const others = Array.from({ length: 1500 }, () => mutated(random.pick(found), random))
  for (const values of [found, others, universe]) {
    const value = values.find(shows)
    if (value !== undefined) return value
  }
  return undefined
}

/** What validators accept in requests, where they fill in defaults. */
function filling(schema) {
  try {
    return new Ajv2020({ useDefaults: true, strict: false, validateFormats: false, logger: false }).compile(
      schema,
    )
  } catch {
    return () => true
  }
}

/** The sending and the receiving schema, without properties that a direction omits. */
export function asSent(direction, from, to) {
  const leftOut = direction === 'request' ? 'readOnly' : 'writeOnly'
  return [sent(from, leftOut, false), sent(to, leftOut, direction === 'response')]
}

/**
 * A schema without the properties that are not sent: they are forbidden, or may be anything, and no part of an
 * `allOf` requires them, whichever part declares them.
 */
function sent({ schema, shared }, leftOut, unsent) {
  const targetOf = (node) => shared[node?.$ref?.split('/').at(-1)]
  const isMarked = (property, seen = []) => {
    if (typeof property !== 'object' || property === null || seen.includes(property)) return false
    if (typeof property[leftOut] === 'boolean') return property[leftOut]
    const lonely = [property.anyOf, property.oneOf].flatMap((list) => (list?.length === 1 ? list : []))
    const parts = [targetOf(property), ...(property.allOf ?? []), ...lonely]
    return parts.some((part) => isMarked(part, [...seen, property]))
  }
  const hiddenIn = (node, seen = new Set()) => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return []
    seen.add(node)
    const here = Object.entries(node.properties ?? {}).flatMap(([name, one]) => (isMarked(one) ? [name] : []))
    return [...here, ...[targetOf(node), ...(node.allOf ?? [])].flatMap((part) => hiddenIn(part, seen))]
  }
  const read = (node, around = []) => {
    if (Array.isArray(node)) return node.map((one) => read(one))
    if (typeof node !== 'object' || node === null) return node
    const { properties = {}, required = [] } = node
    const hidden = new Set([...around, ...hiddenIn(node)])
    const target = targetOf(node)
    // A component elsewhere still requires what another part hides here.
    if (target !== undefined && around.some((name) => !hiddenIn(target).includes(name))) {
      const { $ref: _, ...others } = node
      return read({ ...others, allOf: [...(others.allOf ?? []), target] }, around)
    }
    const isHidden = (name) => isMarked(properties[name])
    const entries = Object.entries(node).map(([key, value]) => {
      if (key === 'enum' || key === 'const' || key === 'default' || key === 'dependentRequired')
        return [key, value]
      if (key === 'required' && Array.isArray(value)) return [key, value.filter((name) => !hidden.has(name))]
      if (key === 'allOf' && Array.isArray(value)) return [key, value.map((one) => read(one, [...hidden]))]
      if (key !== 'properties') return [key, read(value)]
      return [
        key,
        Object.fromEntries(
          Object.entries(value).map(([name, one]) => [name, isHidden(name) ? unsent : read(one)]),
        ),
      ]
    })
    return required.length === 0
      ? Object.fromEntries(entries.filter(([key]) => key !== 'required'))
      : Object.fromEntries(entries)
  }
  return {
    schema: read(schema),
    shared: Object.fromEntries(Object.entries(shared).map(([name, one]) => [name, read(one)])),
  }
}
