import { digestOf } from '../cache/store.js'
import { type Name, typeNamed, valueNamed } from '../code/code.js'
import { compareText } from '../document/cursor.js'
import type { Model, Operation, Webhook } from '../model/model.js'
import type { SharedForms } from '../schema/form.js'
import { isComponent } from '../schema/schema.js'
import type { TypeForm } from '../types/type-form.js'
import { typeForms } from '../types/type-forms.js'
import { sides } from './client-sides.js'

/** Symbols of one operation in the generated files. */
interface OperationSymbols {
  readonly constant: Name
  readonly params: Name
  readonly input: Name
  readonly result: Name
  /** One piece of a stream. Undefined if the document does not describe it. */
  readonly piece: Name | undefined
  /** The headers of a success. Undefined if the document declares none. */
  readonly headers: Name | undefined
  /** Status, result and headers of each success. Undefined if all successes are alike. */
  readonly byStatus: Name | undefined
  /** An error body that is not a component. Undefined if there is none. */
  readonly failure: Name | undefined
}

/** Every identifier that comes from a document's names, unique in all files of a version. */
export interface Symbols {
  readonly operation: (operation: Operation) => OperationSymbols
  /** Handler interface of a namespace. */
  readonly handlers: (namespace: string) => Name
  /** Client interface of a namespace, even of one without operations. */
  readonly client: (namespace: string) => Name
  /** Type of the payload of a webhook or callback. */
  readonly webhook: (webhook: Webhook) => Name
  /** Type of a component schema in one of its forms. */
  readonly component: (name: string, form: TypeForm) => Name
  /** Represents the symbols that code of one operation uses: its own and those of components. */
  readonly textOf: (operation: Operation) => string
}

/**
 * Names all identifiers in one pass, in an order that only depends on names. So a collision (`user-name` and
 * `userName`, or a schema with the name of a params type) always has the same result: component schemas keep
 * their names, the others get a number.
 */
export function nameSymbols(model: Model, forms: SharedForms<TypeForm>): Symbols {
  const exported = new Scope(reserved)
  const components = new Map<string, Name>()
  const bare = new Set<string>()
  const later: { readonly name: string; readonly form: TypeForm }[] = []
  for (const { name, form } of forms.variants) {
    if (bare.has(name)) later.push({ name, form })
    else components.set(`${form} ${name}`, typeNamed('./types.js', exported.claim(typeName(name))))
    bare.add(name)
  }
  const operations = new Map<string, OperationSymbols>()
  for (const { name, pieces, headers, failures } of model.operations) {
    const base = pascal(name)
    operations.set(name, {
      constant: valueNamed('./operations.js', exported.claim(base.charAt(0).toLowerCase() + base.slice(1))),
      params: typeNamed('./types.js', exported.claim(`${base}Params`)),
      input: typeNamed('./types.js', exported.claim(`${base}Input`)),
      result: typeNamed('./types.js', exported.claim(`${base}Result`)),
      piece: pieces === undefined ? undefined : typeNamed('./types.js', exported.claim(`${base}Piece`)),
      headers: headers === undefined ? undefined : typeNamed('./types.js', exported.claim(`${base}Headers`)),
      failure: failures.some(({ schema }) => schema !== undefined && !isComponent(schema))
        ? typeNamed('./types.js', exported.claim(`${base}Failure`))
        : undefined,
      byStatus: undefined,
    })
  }
  const handlers = new Map<string, Name>()
  const clients = new Map<string, Name>()
  const inClient = new Scope(reservedInClient)
  const namespaces = [...new Set(model.operations.map((operation) => operation.namespace))].sort(compareText)
  for (const namespace of namespaces) {
    handlers.set(namespace, typeNamed('./handlers.js', exported.claim(`${pascal(namespace)}Handlers`)))
  }
  for (const namespace of [...new Set(namespaces.flatMap(withNamespacesAbove))].sort(compareText)) {
    clients.set(namespace, typeNamed('./client.js', inClient.claim(`${pascal(namespace)}Client`)))
  }
  const webhooks = new Map<string, Name>()
  for (const { kind, name } of model.webhooks) {
    const suffix = kind === 'webhook' ? 'Webhook' : 'Callback'
    const symbol = typeNamed('./types.js', exported.claim(`${pascal(name)}${suffix}`))
    webhooks.set(`${kind} ${name}`, symbol)
  }
  for (const { name, form } of later) {
    const prefix = form.startsWith('family-') ? 'Any' : ''
    const suffix = form.endsWith('send') ? 'Params' : form.endsWith('input') ? 'Input' : ''
    const wanted = `${prefix}${typeName(name)}${suffix}`
    components.set(`${form} ${name}`, typeNamed('./types.js', exported.claim(wanted)))
  }
  for (const { name, byStatus } of model.operations) {
    if (byStatus === undefined) continue
    const symbol = typeNamed('./types.js', exported.claim(`${pascal(name)}Response`))
    operations.set(name, { ...known(operations, name), byStatus: symbol })
  }
  const types = componentsText(model, forms, components)
  return {
    textOf: ({ name }) => `${types} ${JSON.stringify(known(operations, name))}`,
    operation: ({ name }) => known(operations, name),
    handlers: (namespace) => known(handlers, namespace),
    client: (namespace) => known(clients, namespace),
    webhook: ({ kind, name }) => known(webhooks, `${kind} ${name}`),
    component: (name, form) => known(components, `${forms.standsFor(name, form)} ${name}`),
  }
}

/** Digest of the symbol of each component in each form. */
function componentsText(
  { schemas }: Model,
  forms: SharedForms<TypeForm>,
  components: ReadonlyMap<string, Name>,
): string {
  const names = [...schemas.keys()].map((name) =>
    typeForms.map((form) => components.get(`${forms.standsFor(name, form)} ${name}`)?.name),
  )
  return digestOf(JSON.stringify(names))
}

/** `lnp.gateways` and `lnp`. */
function withNamespacesAbove(namespace: string): string[] {
  const parts = namespace.split('.')
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'))
}

/** `lnp.gateways.search` and `exchange-rate` as `LnpGatewaysSearch` and `ExchangeRate`. */
function pascal(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((part) => part !== '')
  const joined = words.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('')
  if (joined === '') return 'Unnamed'
  return /^[0-9]/.test(joined) ? `N${joined}` : joined
}

/** A component's name if it is a valid type name, else in Pascal case. */
function typeName(name: string): string {
  return /^[A-Z][A-Za-z0-9_]*$/.test(name) ? name : pascal(name)
}

/** Unique names of one scope. */
class Scope {
  readonly #taken: Set<string>
  /** The next number for each taken name. All lower ones stay taken. */
  readonly #numbers = new Map<string, number>()

  constructor(reserved: Iterable<string>) {
    this.#taken = new Set(reserved)
  }

  claim(wanted: string): string {
    let name = wanted
    let number = this.#numbers.get(wanted) ?? 2
    for (; this.#taken.has(name); number++) name = `${wanted}${number}`
    this.#numbers.set(wanted, number)
    this.#taken.add(name)
    return name
  }
}

function known<T>(map: ReadonlyMap<string, T>, key: string): T {
  const value = map.get(key)
  if (value === undefined) throw new Error(`The names pass has not seen ${JSON.stringify(key)}`)
  return value
}

/** Names that the generated files use themselves, and globals that they rely on. */
const reserved = [
  'Array',
  'ErrorCode',
  'ErrorBody',
  'ErrorMembers',
  'ErrorsOf',
  'Handlers',
  'OperationName',
  'OperationTypes',
  'Omit',
  'ProblemError',
  'Promise',
  'Readonly',
  'Record',
  'SchemeName',
  'URL',
  'Callbacks',
  'Webhooks',
  'WithRequired',
  'contract',
  'createApi',
  'errors',
  'operations',
  'problem',
  'securitySchemes',
  'routes',
  'methods',
  'validators',
  // Built-in types that readers would confuse with these.
  ...'Boolean Function Number Object String Symbol'.split(' '),
  // Words that cannot be identifiers. Types begin with a capital, so only constants can collide.
  ...'arguments await break case catch class const continue debugger default delete do else enum eval export'.split(
    ' ',
  ),
  ...'extends false finally for function if implements import in instanceof interface let new null'.split(
    ' ',
  ),
  ...'package private protected public return static super switch this throw true try typeof undefined'.split(
    ' ',
  ),
  ...'var void while with yield'.split(' '),
]

const reservedInClient = [
  ...['ApiError', 'Client', 'ErrorCheck', 'Promise', 'TransportError'],
  ...sides.flatMap(({ more }) => more?.client.name ?? []),
]
