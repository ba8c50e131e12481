import { Containment } from '../../contains/containment.js'
import type { DocumentPosition } from '../../diff/change/change.js'
import { objectOf } from '../../document/cursor.js'
import type { Document, Json, JsonObject } from '../../document/document.js'
import { clone, isObject, own } from '../../document/json.js'
import { toolsOf } from '../../mcp/tool-list.js'
import type { Model, Operation } from '../../model/model.js'
import { fingerprint } from '../../schema/canonical.js'
import { LazyValidators } from '../../validators/lazy-validators.js'
import type { Subject } from '../finding.js'
import type { Findings } from '../findings.js'
import type { Secrets } from '../secrets.js'
import type { ToolPlace } from '../wire.js'
import type { Fault } from './fault.js'

/** Compares the tools that a server lists with those of its document, unless agents search for them. */
export function checkTools(
  document: Document,
  model: Model,
  { mode, listed: { tools, isWhole, request, answer, authentication } }: ToolPlace,
  secrets: Secrets,
  findings: Findings,
): void {
  if (mode === 'search') return
  const at = (pointer: string): DocumentPosition => ({ pointer, ...document.locate(pointer) })
  const add = (operation: Subject, fault: Fault): void =>
    findings.add([fault], { operation, protocol: 'mcp', request, answer, authentication }, secrets)
  const listed = new Map(tools.map((tool) => [own(tool, 'name'), tool]))
  const stated = new Map(toolsOf(model).map((tool) => [own(tool, 'name'), tool]))
  const comparison = new Comparison(model)
  for (const operation of model.operations) {
    const { name, source, tool } = operation
    if (tool === undefined) continue
    const found = listed.get(tool.name)
    const fault = { detail: tool.name, at: at(source.pointer) }
    if (found === undefined) {
      const isKnown = isWhole && mustBeListed(operation, authentication, secrets)
      const message = `tools/list has no ${tool.name}, the tool of ${name}`
      if (isKnown) add(operation, { kind: 'tool-missing', ...fault, message })
      continue
    }
    const message = comparison.difference(operation, own(found, 'inputSchema'), stated.get(tool.name))
    if (message !== undefined) add(operation, { kind: 'tool-differs', ...fault, message })
  }
  for (const name of listed.keys()) {
    if (typeof name !== 'string' || stated.has(name)) continue
    const message = `tools/list has ${name}, which is not a tool of the document`
    const subject = { name, rest: { method: 'tools/list', path: name } }
    add(subject, { kind: 'tool-undeclared', detail: name, at: at(''), message })
  }
}

/** A list has what its caller may call. Only the server knows what the scopes of a credential are. */
function mustBeListed(
  operation: Operation,
  authentication: ToolPlace['listed']['authentication'],
  secrets: Secrets,
): boolean {
  const { security } = operation
  if (security.length === 0 || security.some((each) => Object.keys(each).length === 0)) return true
  const schemes = (one: typeof authentication): string => JSON.stringify(one?.schemes.map(([name]) => name))
  const isScoped = security.some((each) => Object.values(each).some((scopes) => scopes.length > 0))
  return (
    !isScoped && authentication !== undefined && schemes(authentication) === schemes(secrets.of(operation))
  )
}

/** Compares schemas by what they accept, since the same can be written in many ways. */
class Comparison {
  readonly #containment = new Containment({ dialect: '2020-12', arithmetic: 'decimals' })
  readonly #validators: LazyValidators

  constructor(model: Model) {
    this.#validators = new LazyValidators(model)
  }

  /** What a listed schema accepts and the document does not, or the reverse. */
  difference(
    operation: Operation,
    listed: Json | undefined,
    tool: JsonObject | undefined,
  ): string | undefined {
    const stated = tool && own(tool, 'inputSchema')
    const name = operation.tool?.name
    if (stated === undefined || !isObject(stated)) return undefined
    if (!isObject(listed ?? null)) return `${name} has no input schema in tools/list`
    if (fingerprint(listed as Json) === fingerprint(stated)) return undefined
    const refused = this.#witness(stated, listed as Json)
    if (refused !== undefined && this.#accepts(operation, refused))
      return `The input schema of ${name} refuses arguments that the document allows: ${shown(refused)}`
    // Whether a schema is closed says little: servers refuse, or ignore, what they do not know.
    const { additionalProperties: _, ...open } = stated
    const accepted = this.#witness(listed as Json, open)
    if (accepted === undefined || this.#accepts(operation, accepted)) return undefined
    return `The input schema of ${name} accepts arguments that the document forbids: ${shown(accepted)}`
  }

  #witness(a: Json, b: Json): Json | undefined {
    try {
      const verdict = this.#containment.decide(
        this.#containment.subject(a, ''),
        this.#containment.subject(b, ''),
      )
      return verdict.verdict === 'not-contained' ? verdict.witness : undefined
    } catch {
      // A server's schema may be none.
      return undefined
    }
  }

  #accepts(operation: Operation, args: Json): boolean {
    if (!isObject(args)) return false
    const params = objectOf([
      ...Object.entries(args).filter(([name]) => name !== '__tz'),
      ...Object.entries(operation.tool?.fixed ?? {}),
    ])
    return this.#validators.of(operation).params(clone(params))
  }
}

function shown(value: Json): string {
  return JSON.stringify(value).slice(0, 200)
}
