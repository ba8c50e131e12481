import { jsonText } from 'duet-runtime/json'
import { element, freshId } from '../element.js'
import { isSchema, type Schema } from '../page.js'
import type { Editor, Members } from './editor-part.js'
import { StandIn } from './stand-ins.js'

/** One of the schemas that a value may have. */
export interface Alternative {
  /** The reader's name for it: `Cat (kind: "cat")`. */
  readonly label: string
  readonly schema: Schema
}

/** The choices in a schema, each a list of alternatives. */
export function choicesOf(schema: Schema): readonly (readonly Alternative[])[] {
  return Array.isArray(schema.$choices) ? schema.$choices : []
}

export function propertiesOf(schema: Schema): [string, Schema][] {
  const properties = isSchema(schema.properties) ? Object.entries(schema.properties) : []
  return properties.map(([name, member]) => [name, isSchema(member) ? member : {}])
}

/** Names of members whose values distinguish the alternatives: each alternative has its own value. */
export function distinguishingNames(alternatives: readonly Alternative[]): string[] {
  const named = alternatives.map(({ schema }) => propertiesOf(schema)).filter((members) => members.length > 0)
  const [first = []] = named
  return first
    .map(([name]) => name)
    .filter((name) =>
      named.every((members) => members.some(([other, { enum: known }]) => other === name && known)),
    )
}

/** Members of an object that depend on the selected alternative. */
export function alternativeMembers(
  alternatives: readonly Alternative[],
  initial: Schema,
  members: (schema: Schema) => Members,
): Members {
  const selector = selectorOf(alternatives, initial, true, (schema) => members(schema))
  return {
    elements: selector.elements,
    read: () => selector.chosen()?.read() ?? {},
    complain: (path, message) => selector.chosen()?.complain(path, message) ?? false,
    forgive: () => selector.chosen()?.forgive(),
  }
}

/** A part of a form. */
export type Part<Value> = Pick<Editor, 'complain' | 'forgive'> & {
  readonly elements: readonly HTMLElement[]
  read(): Value
}

/** Creates the part of an alternative when the reader first selects it, and keeps it. */
export function selectorOf<Value>(
  alternatives: readonly Alternative[],
  initial: unknown,
  required: boolean,
  make: (schema: Schema, label: string) => Part<Value>,
): { readonly elements: readonly HTMLElement[]; chosen(): Part<Value> | undefined } {
  const select = element('select', { id: freshId() })
  const fitting = alternatives.findIndex(({ schema }) => initial !== undefined && fits(schema, initial))
  const first = alternatives.findIndex(({ schema }) => schema.type !== 'null')
  // The first of some values would be a value that nobody chose.
  const isOpen = fitting === -1 && alternatives.length > 1 && isOneValue(alternatives[first]?.schema ?? {})
  if (!required || isOpen) select.append(element('option', { value: '' }, required ? 'Choose' : 'not sent'))
  for (const [index, { label }] of alternatives.entries())
    select.append(element('option', { value: String(index) }, label))
  if (fitting !== -1) select.value = String(fitting)
  else if (required && !isOpen) select.value = String(Math.max(first, 0))
  const made = new Map<Alternative, Part<Value>>()
  const chosen = () => {
    const alternative = select.value === '' ? undefined : alternatives[Number(select.value)]
    if (alternative === undefined) return undefined
    const part = made.get(alternative) ?? make(alternative.schema, alternative.label)
    made.set(alternative, part)
    return part
  }
  const place = element('div', { class: 'alternative-fields' })
  const show = () => place.replaceChildren(...(chosen()?.elements ?? []))
  select.addEventListener('input', show)
  show()
  const label = element('label', { for: select.id }, 'Alternative')
  return { elements: [element('div', { class: 'field wide' }, label, select), place], chosen }
}

/** Whether a value fits an alternative: by its type, by constants, and by required members. */
export function fits(schema: Schema, value: unknown): boolean {
  if (value instanceof StandIn) return !isOneValue(schema)
  const known = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : undefined
  if (known !== undefined) return known.some((one) => jsonText(one) === jsonText(value))
  const types = [schema.type].flat().filter((type) => type !== undefined)
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) return false
  const [alternatives] = choicesOf(schema)
  if (alternatives !== undefined && !alternatives.some((one) => fits(one.schema, value))) return false
  if (!isSchema(value)) return propertiesOf(schema).length === 0
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : []
  return (
    required.every((name) => Object.hasOwn(value, String(name))) &&
    propertiesOf(schema).every(
      ([name, member]) => !Object.hasOwn(value, name) || !isClosed(member) || fits(member, value[name]),
    )
  )
}

function isOneValue(schema: Schema): boolean {
  return 'const' in schema || (Array.isArray(schema.enum) && schema.enum.length === 1)
}

function isClosed(schema: Schema): boolean {
  return Array.isArray(schema.enum) || 'const' in schema
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isSchema(value)
  if (typeof value === 'bigint') return type === 'integer' || type === 'number'
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}
