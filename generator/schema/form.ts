import type { Pieces } from '../cache/pieces.js'
import { objectOf } from '../document/cursor.js'
import { groupBy } from '../document/grouping.js'
import { isArray, isObject, own } from '../document/json.js'
import type { Schema } from './schema.js'

/** A component in one form. */
export type FormReference<Form extends string> = { readonly name: string; readonly form: Form }

/** Rewrites a schema for one form. `refer` gives the new target of each reference. */
export type Rewrite<Form extends string> = (
  schema: Schema,
  form: Form,
  refer: (name: string, form: Form) => string,
) => Schema

/** Component schemas in the forms in use. Equal forms of one schema are shared. */
export interface SharedForms<Form extends string> {
  /** Used forms by component, one entry for each distinct schema; sorted by name, then by `order`. */
  readonly variants: readonly FormReference<Form>[]
  /** The form that represents this one: itself, or an earlier one with the same schema. */
  readonly standsFor: (name: string, form: Form) => Form
}

/** The references of a rewritten schema. */
export function formReferences<Form extends string>(
  rewrite: Rewrite<Form>,
  schema: Schema,
  form: Form,
): FormReference<Form>[] {
  const found: FormReference<Form>[] = []
  rewrite(schema, form, (name, form) => {
    found.push({ name, form })
    return name
  })
  return found
}

/**
 * Finds which forms of the component schemas are needed, starting from `roots`, and which are the same. Two
 * forms of a schema are the same if their texts are, and all schemas that they refer to (partition refinement,
 * which recursion does not affect).
 */
export function shareForms<Form extends string>(
  schemas: ReadonlyMap<string, Schema>,
  roots: Iterable<FormReference<Form>>,
  rewrite: Rewrite<Form>,
  order: readonly Form[],
): SharedForms<Form> {
  const nodes = new Map<string, FormNode<Form>>()
  const queue = [...roots]
  const refer = (references: string[]) => (name: string, form: Form) => {
    const id = nodeId(name, form)
    references.push(id)
    queue.push({ name, form })
    return name
  }
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { name, form } = next
    const id = nodeId(name, form)
    const schema = schemas.get(name)
    if (schema === undefined || nodes.has(id)) continue
    const references: string[] = []
    nodes.set(id, { name, form, text: '', references, group: 0 })
    const text = JSON.stringify(rewrite(schema, form, refer(references)))
    nodes.set(id, { name, form, text, references, group: 0 })
  }
  const byName = groupBy(nodes.values(), ({ name }) => name)
  for (const group of byName.values()) group.sort((a, b) => order.indexOf(a.form) - order.indexOf(b.form))
  refine(nodes, byName)
  const representative = (name: string, form: Form): Form => {
    const group = nodes.get(nodeId(name, form))?.group
    return byName.get(name)?.find((node) => node.group === group)?.form ?? form
  }
  const variants = [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, group]) =>
      group
        .filter((node) => representative(name, node.form) === node.form)
        .map(({ form }) => ({ name, form })),
    )
  return { variants, standsFor: representative }
}

/**
 * Shared forms of an earlier run, or new ones.
 *
 * @param key represents everything that they are made from, besides the schemas
 */
export function keptForms<Form extends string>(
  pieces: Pieces,
  key: readonly string[],
  schemas: ReadonlyMap<string, Schema>,
  order: readonly Form[],
  make: () => SharedForms<Form>,
): SharedForms<Form> {
  const whole = ['forms', ...key, JSON.stringify([...schemas])]
  const formOf = (text: unknown): Form | undefined => order.find((form) => form === text)
  const kept = pieces.get(...whole)
  if (isObject(kept) && isArray(kept.variants) && isObject(kept.others)) {
    const { variants, others } = kept
    return {
      variants: variants.flatMap((variant) => {
        const [form, name] = isArray(variant) ? variant : []
        const known = formOf(form)
        return known === undefined ? [] : [{ name: String(name), form: known }]
      }),
      standsFor: (name, form) => formOf(own(others, nodeId(name, form))) ?? form,
    }
  }
  const { variants, standsFor } = make()
  const others = [...schemas.keys()].flatMap((name) =>
    order.flatMap((form): [string, string][] => {
      const standing = standsFor(name, form)
      return standing === form ? [] : [[nodeId(name, form), standing]]
    }),
  )
  pieces.set({ variants: variants.map(({ name, form }) => [form, name]), others: objectOf(others) }, ...whole)
  return { variants, standsFor }
}

interface FormNode<Form> {
  readonly name: string
  readonly form: Form
  /** The rewritten schema, with references only by name. */
  readonly text: string
  readonly references: readonly string[]
  group: number
}

function nodeId(name: string, form: string): string {
  return `${form} ${name}`
}

function refine<Form>(
  nodes: ReadonlyMap<string, FormNode<Form>>,
  byName: ReadonlyMap<string, readonly FormNode<Form>[]>,
): void {
  for (let changed = true; changed; ) {
    changed = false
    for (const group of byName.values()) {
      if (group.length < 2) continue
      const numbers = new Map<string, number>()
      const signatures = group.map((node) => {
        const groups = node.references.map((id) => nodes.get(id)?.group ?? 0)
        return `${node.group} ${groups.join(' ')} ${node.text}`
      })
      for (const [index, node] of group.entries()) {
        const signature = signatures[index] ?? ''
        const number = numbers.get(signature) ?? numbers.size
        numbers.set(signature, number)
        if (node.group === number) continue
        node.group = number
        changed = true
      }
    }
  }
}
