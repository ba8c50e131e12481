import type { Contract } from '../../contract/contract.js'
import type { Int64Place } from '../../contract/int64.js'
import type { ToolBinding } from '../../contract/operation.js'
import { deprecationHeaders } from '../../http/deprecation.js'
import { challengeOf } from '../../server/authenticate.js'
import type { Procedure } from '../../server/procedure.js'
import { isJsonObject } from '../../values/object.js'

/** A tool as `tools/list` returns it. */
export interface ToolDescription {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: object
  readonly outputSchema?: object
  readonly annotations?: object
}

/** An operation that agents can call. */
export interface ServedTool {
  readonly binding: ToolBinding
  readonly description: ToolDescription
  readonly procedure: Procedure
  /** Headers of its responses. */
  readonly headers: Readonly<Record<string, string>>
  /** `WWW-Authenticate` of a 401. */
  readonly challenge: string | undefined
}

/** The content of `mcp.json`. */
interface ToolList {
  /** `each`: every operation is a tool. `search`: three tools search, describe and call the operations. */
  readonly mode: 'each' | 'search'
  /** Sorted by name. */
  readonly tools: readonly ToolDescription[]
  /** Issuers of tokens, if the document has OAuth 2 or OpenID Connect. */
  readonly authorizationServers?: readonly string[]
}

/** The tools of a contract. Their descriptions are read at the first request. */
export class Tools {
  readonly #contract: Contract
  readonly #procedures: ReadonlyMap<string, Procedure>
  /** Whether an operation of a tool has int64 integers that programs have in another form. */
  readonly hasInt64: boolean
  #known: { readonly mode: ToolList['mode']; readonly byName: ReadonlyMap<string, ServedTool> } | undefined

  constructor(contract: Contract, procedures: ReadonlyMap<string, Procedure>) {
    this.#contract = contract
    this.#procedures = new Map(
      [...procedures.values()].flatMap((procedure): [string, Procedure][] => {
        const { tool } = procedure.operation
        return tool === undefined ? [] : [[tool.name, procedure]]
      }),
    )
    this.hasInt64 = [...this.#procedures.values()].some(({ operation }) => operation.int64 !== undefined)
  }

  /** By name, sorted. */
  get all(): ReadonlyMap<string, ServedTool> {
    return this.#read().byName
  }

  /** Those of the operations that are tools. */
  get procedures(): Iterable<Procedure> {
    return this.#procedures.values()
  }

  get mode(): ToolList['mode'] {
    return this.#read().mode
  }

  #read() {
    if (this.#known !== undefined) return this.#known
    const { mode, tools } = (this.#contract.mcp?.() ?? { mode: 'each', tools: [] }) as ToolList
    const byName = new Map(
      tools.flatMap((description): [string, ServedTool][] => {
        const procedure = this.#procedures.get(description.name)
        const binding = procedure?.operation.tool
        if (procedure === undefined || binding === undefined) return []
        const challenge = challengeOf(procedure.alternatives, this.#contract)
        const headers = deprecationHeaders(procedure.operation)
        return [[description.name, { binding, description, procedure, headers, challenge }]]
      }),
    )
    this.#known = { mode, byName }
    return this.#known
  }

  /** The int64 position of a body's number in the params of its call. */
  placeOf([first, second, ...path]: readonly string[], body: unknown): Int64Place | undefined {
    if (first !== 'params' || second !== 'arguments' || !isJsonObject(body)) return undefined
    const params = isJsonObject(body.params) ? body.params : {}
    const isInner = this.mode === 'search' && path[0] === 'arguments'
    const { name } = isInner && isJsonObject(params.arguments) ? params.arguments : params
    const graph = this.all.get(String(name))?.procedure.operation.int64?.params
    return graph && { graph, path: isInner ? path.slice(1) : path }
  }
}
