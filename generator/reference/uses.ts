import { compareText } from '../document/cursor.js'
import type { Json } from '../document/document.js'
import { addToGroup } from '../document/grouping.js'
import type { Model, Operation } from '../model/model.js'
import { referenceTo } from '../schema/schema.js'
import { memberOf } from './written.js'

/** Where a component schema is used, by its name. */
export interface Uses {
  readonly operations: readonly { readonly operation: Operation; readonly as: string }[]
  /** Names of components that refer to it, sorted. */
  readonly schemas: readonly string[]
  /** Whether it is the body of an error of the catalogue, or of a response that operations share. */
  readonly inErrors: boolean
  /** Whether it is the body of a webhook or callback, or within one. */
  readonly inWebhooks: boolean
  /** Whether a request has it, by references of any depth. */
  readonly isSent: boolean
}

/** The uses of all components: direct references, not those of references. */
export function usesOf(model: Model): ReadonlyMap<string, Uses> {
  const names = new Map([...model.schemas.keys()].map((name) => [referenceTo(name), name]))
  const referred = (value: unknown): Set<string> =>
    new Set(
      Array.from(JSON.stringify(value ?? null).matchAll(/"\$ref":("(?:[^"\\]|\\.)*")/g), ([, text = '""']) =>
        names.get(JSON.parse(text) as string),
      ).filter((name) => name !== undefined),
    )
  const shared = memberOf(memberOf(model.openapi, 'components'), 'responses')
  const inErrors = new Set([...referred(shared), ...model.errorMembers.values()])
  const inWebhooks = referred(model.webhooks.map(({ payload }) => payload))
  const found = new Map<string, { operations: Map<Operation, string[]>; schemas: Set<string> }>()
  const entry = (name: string) => {
    const known = found.get(name) ?? { operations: new Map(), schemas: new Set() }
    found.set(name, known)
    return known
  }
  for (const operation of model.operations)
    for (const [as, value] of placesOf(operation))
      for (const name of referred(value)) {
        const { operations } = entry(name)
        addToGroup(operations, operation, as)
      }
  const within = new Map(Array.from(model.schemas, ([user, schema]) => [user, referred(schema)] as const))
  for (const [user, names] of within)
    for (const name of names) if (name !== user) entry(name).schemas.add(user)
  const sent = new Set(
    [...found].flatMap(([name, { operations }]) =>
      [...operations.values()].some((as) => as.includes('request')) ? [name] : [],
    ),
  )
  // What is added meanwhile is visited too.
  for (const name of sent) for (const inner of within.get(name) ?? []) sent.add(inner)
  for (const name of [...inErrors, ...inWebhooks]) entry(name)
  return new Map(
    Array.from(found, ([name, { operations, schemas }]) => [
      name,
      {
        operations: Array.from(operations, ([operation, as]) => ({ operation, as: as.join(', ') })),
        schemas: [...schemas].sort(compareText),
        inErrors: inErrors.has(name),
        inWebhooks: inWebhooks.has(name),
        isSent: sent.has(name),
      },
    ]),
  )
}

function placesOf({ params, bodyBase, result, failures }: Operation): [as: string, value: Json][] {
  return [
    ['request', bodyBase === undefined ? params : [params, { $ref: referenceTo(bodyBase) }]],
    ['response', result],
    ['error', failures.map(({ schema }) => schema ?? null)],
  ]
}
