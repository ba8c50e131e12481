import type { Protocol } from 'duet-runtime'
import type { JsonObject } from '../../document/document.js'
import type { Proof } from '../change/change.js'
import { protocolNames, protocols } from '../change/protocol.js'
import { curlOf, curlOfEnvelope, type Separator } from './curl.js'
import type { Group } from './groups.js'
import { shownJson } from './runs.js'

/** What a person sends or receives over one protocol. */
export interface Call {
  /** The protocol's name. */
  readonly title: string
  readonly text: string
  /** Whether it is a command line. Otherwise it is the JSON of what the service sends. */
  readonly isCommand: boolean
}

/**
 * A proof as what a person sends or receives: command lines of calls, JSON of responses.
 *
 * @param style the spaces of each level of JSON, 0 for one line, and what separates the options of a command
 */
export function callsOf(
  proof: Proof,
  { indent, between }: { readonly indent: number; readonly between: Separator } = onOneLine,
): Call[] {
  if (proof.status !== 'verified') return []
  const { basePath = '', jsonrpcPath = '/', mcpPath = '/', credentials } = proof
  // What the service sends, be it a response or a message, is not a command.
  const isCommand = proof.old === 'accepts'
  // The base URL of a command has the path of the old version's server, as in the reference.
  const below = (address: string): string => address.slice(basePath.length)
  const commands: { readonly [protocol in Protocol]: (value: JsonObject) => string } = {
    rest: (value) => curlOf({ ...value, url: below(String(value.url)) }, credentials, between),
    jsonrpc: (value) => curlOfEnvelope(value, credentials, between, below(jsonrpcPath)),
    mcp: (value) => curlOfEnvelope(value, credentials, between, below(mcpPath)),
  }
  return protocols.flatMap((protocol) => {
    const value = proof[protocol]
    if (value === undefined) return []
    const text = isCommand ? commands[protocol](value) : shownJson(value, indent)
    return [{ title: protocolNames[protocol], text, isCommand }]
  })
}

const onOneLine = { indent: 0, between: ' ' } as const

/** The proof of a group first, then a different one for each other fact and protocol that it does not show. */
export function proofsOf({ proof, parts, facts }: Group): Proof[] {
  const shown = new Set<string>()
  const others = parts.filter(({ id, protocols, proof }, index) => {
    const keys = protocols.map((protocol) => `${facts === undefined ? '' : id} ${protocol}`)
    const isNew = keys.some((key) => !shown.has(key))
    const isShowing = index === 0 || proof.status === 'verified' || facts === undefined
    if (isNew && isShowing) for (const key of keys) shown.add(key)
    return isNew && isShowing && index > 0
  })
  const all = [proof, ...others.map((part) => part.proof)]
  const different = new Map(all.map((one) => [JSON.stringify(one), one]))
  return [...different.values()].slice(0, mostOthers + 1)
}

const mostOthers = 3
