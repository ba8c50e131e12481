import type { Json } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import type { Model, Operation, Webhook } from '../model/model.js'
import type { Sampler } from '../samples/sampler.js'
import { referenceOf, referenceTo, resolve } from '../schema/schema.js'
import type { Addresses } from './address.js'
import { arranged } from './arranged.js'
import type { Changes } from './changes.js'
import { shortened, shortJson } from './console-view.js'
import { choicesOfComponent } from './fields/choices.js'
import { type FieldNode, fieldTree } from './fields/field-tree.js'
import { badgesOf, type Fields, noteOf } from './fields/fields.js'
import { furtherValues } from './fields/further-values.js'
import { inlineHtml, markdownHtml } from './html/markdown.js'
import { elementOf, received } from './operation-view.js'
import { titleOf } from './titles.js'
import type { Uses } from './uses.js'

/** What the views of schemas need besides the schemas. */
export interface SchemaSurroundings {
  readonly model: Model
  readonly fields: Fields
  readonly addresses: Addresses
  readonly changes: Changes | undefined
  /** For schemas without an example of the document. */
  readonly sampler: Sampler
}

/** The template data of a component's page: its fields as a tree, an example, and where it is used. */
export function schemaView(
  name: string,
  uses: Uses | undefined,
  { model, fields, addresses, changes, sampler }: SchemaSurroundings,
): object {
  const schema = model.schemas.get(name) ?? true
  const whole = resolve(model.schemas, schema)
  const [beside, target] = [isObject(schema) ? schema : {}, isObject(whole) ? whole : {}]
  const taken = new Set<string>()
  const shown = (nodes: readonly FieldNode[]) => (uses?.isSent === false ? received(nodes) : nodes)
  const rows = expanded(fieldTree(fields.of(schema), 'field', taken), fields, taken, name)
  const choices = choicesOfComponent(schema, fields)
  const { description } = target
  const stated = statedExample(whole) ?? shownIn(name, uses)
  const sample = stated ?? sampler.sample(schema, { seed: name, refused: new Map(), most: mostSampled })
  const users = (uses?.operations ?? []).map(({ operation, as }) => usedIn(operation, as, addresses))
  return {
    name,
    badges: badgesOf(beside, target),
    note: noteOf(beside, target),
    changes: changes?.ofSchema(name),
    description: typeof description === 'string' ? markdownHtml(description) : '',
    type: rows.length > 0 || choices.length > 0 ? [] : fields.type({ ...target }),
    values: rows.length > 0 ? undefined : furtherValues(target),
    fields: shown(rows),
    choices: choices.map((choice, index) => ({
      ...choice,
      isFirst: index === 0 && rows.length === 0,
      group: `choice-${index}`,
      branches: choice.branches.map((branch) => ({
        ...branch,
        fields: shown(fieldTree(branch.fields, 'field', taken)),
      })),
    })),
    example: shortJson(shortened(arranged(model.schemas, schema, sample), 0)),
    isStated: stated !== undefined,
    operations: users.slice(0, usersAtOnce),
    others: users.slice(usersAtOnce),
    more: `${users.length - usersAtOnce} more`,
    inErrors: uses?.inErrors === true,
    inWebhooks: uses?.inWebhooks === true,
    schemas: (uses?.schemas ?? []).map((user) => ({ name: user, href: addresses.schema(user) })),
  }
}

/** The template data of a message that the service sends: its body's fields as a tree, and an example. */
export function webhookView(
  { kind, name, summary = '', description = '', payload, examples }: Webhook,
  { model, fields, sampler }: SchemaSurroundings,
): object {
  const id = webhookId({ kind, name })
  const taken = new Set<string>()
  const rows = expanded(fieldTree(fields.of(payload), id, taken), fields, taken, referenceOf(payload) ?? '')
  const [stated] = examples
  const hasBody = !(isObject(payload) && payload.type === 'null')
  const sample = stated ?? sampler.sample(payload, { seed: name, refused: new Map(), most: mostSampled })
  return {
    ...{ id, kind, name, summary, hasBody },
    description: markdownHtml(description),
    type: fields.type(payload),
    fields: received(rows),
    example: hasBody ? shortJson(shortened(arranged(model.schemas, payload, sample), 0)) : '',
    isStated: stated !== undefined,
  }
}

/** The place of a webhook or callback on the start page. */
export function webhookId({ kind, name }: Pick<Webhook, 'kind' | 'name'>): string {
  return `${kind}-${name}`
}

/** A line of the list of all schemas. */
export function schemaLine(name: string, { model, addresses }: SchemaSurroundings): object {
  const whole = resolve(model.schemas, model.schemas.get(name) ?? true)
  const description = isObject(whole) ? own(whole, 'description') : undefined
  const [first = ''] = typeof description === 'string' ? description.trim().split(/\n\s*\n/) : []
  return { name, href: addresses.schema(name), description: inlineHtml(first) }
}

function usedIn(operation: Operation, as: string, addresses: Addresses): object {
  const { name, rest } = operation
  return { name, title: titleOf(operation), method: rest.method, as, href: addresses.operation(operation) }
}

/** How many of the operations that use a component its page shows at once. A click shows the others. */
const usersAtOnce = 50

/** Values of a sample, of which a page shows the first lines. */
const mostSampled = 1_000

/** The example that the document has for a schema. */
function statedExample(schema: unknown): Json | undefined {
  if (!isObject(schema as Json)) return undefined
  const { example, examples } = schema as { example?: Json; examples?: Json }
  return example ?? (isArray(examples) ? examples[0] : undefined)
}

/** The document's example of a response that is the component, or a list of them. */
function shownIn(name: string, uses: Uses | undefined): Json | undefined {
  for (const { operation } of uses?.operations ?? []) {
    const { result, examples } = operation
    const shown = examples.find((example) => example.result !== undefined)?.result
    if (shown === undefined) continue
    if (referenceOf(result) === name) return shown
    if (isArray(shown) && shown.length > 0 && referenceOf(elementOf(result)) === name) return shown[0]
  }
  return undefined
}

/** Most rows of a page's tree: components that contain each other have no end. */
const mostRows = 250
const deepest = 3

/** Fields with those of the components that they are, each component once on the way down. */
function expanded(rows: readonly FieldNode[], fields: Fields, taken: Set<string>, name: string): FieldNode[] {
  let room = mostRows - rows.length
  const within = (nodes: readonly FieldNode[], depth: number, above: ReadonlySet<string>): FieldNode[] =>
    nodes.map((node) => {
      const { component } = node
      if (node.children.length > 0) return { ...node, children: within(node.children, depth + 1, above) }
      if (component === undefined || depth >= deepest || above.has(component)) return node
      const rowsBelow = fields.of({ $ref: referenceTo(component) })
      if (rowsBelow.length === 0 || rowsBelow.length > room) return node
      room -= rowsBelow.length
      const below = fieldTree(rowsBelow, node.id, taken)
      const children = within(below, depth + 1, new Set([...above, component]))
      const count = children.length
      return { ...node, children, more: `${count} ${count === 1 ? 'field' : 'fields'}` }
    })
  return within(rows, 0, new Set([name]))
}
