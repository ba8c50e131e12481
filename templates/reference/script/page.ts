import type { Operation } from 'duet-runtime/client'

/**
 * A JSON Schema in the page's form: references resolved, `allOf` merged, descriptions as HTML, each list of
 * alternatives in `$choices`, and an empty schema for `true` and for schemas that nest too deep.
 */
export type Schema = { readonly [keyword: string]: unknown }

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The page's data on one operation. */
export interface Tried {
  readonly operation: Operation
  readonly params: Schema
  /** Initial values of the form. */
  readonly example: Readonly<Record<string, unknown>>
  /** JSON pointers of what the document has no value of: its name in capitals stands there. Absent: none. */
  readonly open?: readonly string[]
  /** The document's requests to pick from, the first of which is `example`. Empty if there is one at most. */
  readonly examples: readonly NamedExample[]
  /** Present if no REST request reaches the operation. */
  readonly unrouted?: true
  /** Present if it is a tool of MCP: its name, the params that agents do not send, and whether agents see each tool. */
  readonly tool?: {
    readonly name: string
    readonly left: readonly string[]
    readonly mode: 'each' | 'search'
  }
}

/** A request of the document. */
export interface NamedExample {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly params: Schema
}

/** The page's data on its service. */
export interface Settings {
  readonly title: string
  readonly version: string
  /** The module of the typed client. */
  readonly module: string
  readonly basePath: string
  /** Absent: JSON-RPC is at the base path. */
  readonly rpcPath?: string
  readonly errors: Readonly<Record<string, ErrorEntry>>
  /** Those of the document. */
  readonly servers: readonly {
    readonly url: string
    readonly description: string
    readonly template?: string
    readonly variables?: Readonly<Record<string, string>>
  }[]
  readonly securitySchemes: Readonly<Record<string, Scheme>>
}

/** A code of the error catalogue. */
export interface ErrorEntry {
  readonly title: string
  readonly status: number
  readonly rpc: number
}

/** OpenAPI 3.1, OAuth Flow Object. */
export interface Flow {
  readonly token: string
  readonly authorization?: string
  /** Their descriptions, by name. */
  readonly scopes: Readonly<Record<string, string>>
}

/** OpenAPI 3.1, Security Scheme Object, the part that calls need. */
export interface Scheme {
  readonly type: 'apiKey' | 'http' | 'oauth2' | 'openIdConnect' | 'mutualTLS'
  readonly in?: 'header' | 'query' | 'cookie'
  readonly name?: string
  readonly scheme?: string
  readonly flows?: { readonly authorizationCode?: Flow; readonly clientCredentials?: Flow }
}

export function settingsOf(page: ParentNode): Settings | undefined {
  return dataOf(page.querySelector('#settings')) as Settings | undefined
}

/** The operation of a position on the page. */
export function triedAt(place: ParentNode): Tried | undefined {
  const tried = dataOf(place.querySelector('script[data-operation]')) as Omit<Tried, 'examples'> | undefined
  return tried && { ...tried, examples: examplesIn(place, tried.example) }
}

function examplesIn(place: ParentNode, first: Schema): NamedExample[] {
  return Array.from(place.querySelectorAll<HTMLElement>('[data-requests] > details'), (details) => ({
    name: details.dataset.example ?? '',
    label: details.querySelector('summary')?.textContent ?? '',
    description: details.querySelector('.said')?.innerHTML ?? '',
    params: (dataOf(details.querySelector('pre')) as Schema | undefined) ?? first,
  }))
}

function dataOf(block: Element | null | undefined): unknown {
  return block?.textContent ? JSON.parse(block.textContent) : undefined
}
