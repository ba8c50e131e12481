import type { Operation } from 'duet-runtime/client'

/**
 * A JSON Schema as the page holds it: references replaced, `allOf` taken in, descriptions as HTML, in `$choices` each list of
 * alternatives that a value is one of, and `true` and what is too deep as an empty one.
 */
export type Schema = { readonly [keyword: string]: unknown }

/** What a page of the reference knows of one operation. */
export interface Tried {
  readonly operation: Operation
  readonly params: Schema
  /** What the form begins with. */
  readonly example: Readonly<Record<string, unknown>>
  /** Present where no request over REST reaches it. */
  readonly unrouted?: true
}

/** What a page of the reference knows of its service. */
export interface Settings {
  readonly title: string
  readonly version: string
  readonly basePath: string
  /** Absent: JSON-RPC is at the base path. */
  readonly rpcPath?: string
  readonly errors: Readonly<Record<string, never>>
  readonly securitySchemes: Readonly<Record<string, Scheme>>
}

/** OpenAPI 3.1, Security Scheme Object, as far as a call needs it. */
export interface Scheme {
  readonly type: 'apiKey' | 'http' | 'oauth2' | 'openIdConnect' | 'mutualTLS'
  readonly in?: 'header' | 'query' | 'cookie'
  readonly name?: string
  readonly scheme?: string
}

export function settingsOf(page: ParentNode): Settings | undefined {
  return dataOf(page.querySelector('#settings')) as Settings | undefined
}

/** The operation that a place of the page is for. */
export function triedAt(place: HTMLElement): Tried | undefined {
  return dataOf(place.parentElement?.querySelector('script[data-operation]')) as Tried | undefined
}

function dataOf(block: Element | null | undefined): unknown {
  return block?.textContent ? JSON.parse(block.textContent) : undefined
}
