import type { Contract } from '../../contract/contract.js'
import type { ToolBinding } from '../../contract/operation.js'
import { deprecationHeaders } from '../../http/deprecation.js'
import { challengeOf } from '../../server/authenticate.js'
import type { Procedure } from '../../server/procedure.js'

/** What clients of MCP learn of a version. The generated `mcp.json` contains it. */
export interface ToolList {
  /** `each`: every operation is a tool. `search`: three tools search, describe and call the operations. */
  readonly mode: 'each' | 'search'
  /** Sorted by name. */
  readonly tools: readonly ToolDescription[]
}

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
  readonly procedure: Procedure
  /** Headers of its responses. */
  readonly headers: Readonly<Record<string, string>>
  /** `WWW-Authenticate` of a 401. */
  readonly challenge: string | undefined
}

/** The tools of a contract by name, and what clients learn of them. */
export class Tools {
  readonly #contract: Contract
  readonly #byName: ReadonlyMap<string, ServedTool>
  #list: ToolList | undefined
  #texts: ReadonlyMap<string, string> | undefined

  constructor(contract: Contract, procedures: ReadonlyMap<string, Procedure>) {
    this.#contract = contract
    this.#byName = new Map(
      [...procedures.values()].flatMap((procedure): [string, ServedTool][] => {
        const { operation, alternatives } = procedure
        if (operation.tool === undefined) return []
        const challenge = challengeOf(alternatives, contract)
        const headers = deprecationHeaders(operation)
        return [[operation.tool.name, { binding: operation.tool, procedure, headers, challenge }]]
      }),
    )
  }

  get size(): number {
    return this.#byName.size
  }

  get(name: string): ServedTool | undefined {
    return this.#byName.get(name)
  }

  get list(): ToolList {
    this.#list ??= (this.#contract.mcp?.() ?? { mode: 'each', tools: [] }) as ToolList
    return this.#list
  }

  /** The tools that have a binding, in the order of the list. */
  get served(): readonly ServedTool[] {
    return this.list.tools.flatMap(({ name }) => this.#byName.get(name) ?? [])
  }

  /** A tool as JSON text. */
  textOf(name: string): string {
    this.#texts ??= new Map(this.list.tools.map((tool) => [tool.name, JSON.stringify(tool)]))
    return this.#texts.get(name) ?? '{}'
  }

  describe(name: string): ToolDescription | undefined {
    return this.list.tools.find((tool) => tool.name === name)
  }
}
