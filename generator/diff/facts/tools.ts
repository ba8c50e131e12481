import { childPointer, member, rootCursor } from '../../document/cursor.js'
import { isObject, own } from '../../document/json.js'
import { toolMode } from '../../mcp/tool-mode.js'
import { visibleText } from '../../mcp/visible-text.js'
import type { Tool, ToolHints } from '../../model/model.js'
import { membersOf, type ObjectMember } from '../../schema/alternative-members.js'
import { fingerprint } from '../../schema/canonical.js'
import { defaultOf } from '../../schema/defaults/defaults.js'
import { resolve, type Schema } from '../../schema/schema.js'
import type { ChangeId } from '../change/catalogue.js'
import type { Finding } from '../change/collector.js'
import { lifecycleOf } from '../change/lifecycle.js'
import { whereTools } from '../change/protocol.js'
import { asObject, type Endpoint, type Side } from '../change/side.js'
import { schemasOf } from '../same/discrimination.js'
import { type OperationPair, report, type Tools, titleOf } from './parts/pair.js'

/** Compares what agents see of an operation: its tool's name, annotations, texts, hidden and fixed params. */
export function toolFacts(pair: OperationPair): void {
  const [was, is] = [pair.before.modelled?.tool, pair.after.modelled?.tool]
  if (was !== undefined) nameFacts(pair, was, is)
  else if (is !== undefined && !toolsOf(pair.old).has(is.name)) {
    const called = { ...pair, before: { ...pair.before, isTool: true } }
    sayFor(called)('tool-added', `${titleOf(pair.after)} is the tool ${is.name}`, [is.name])
  }
  if (was === undefined || is === undefined) return
  const say = sayFor(pair)
  texts(say, was, is)
  hints(say, was.hints, is)
  unseenParams(pair, was, is)
  const [form, other] = [pair.before, pair.after].map(formOf)
  if (form !== other)
    say('tool-output-changed', `the tool ${is.name} returns ${other} instead of ${form}`, [form, other])
}

/** Reports that all names of tools are gone, since three tools find and call them, or the reverse. */
export function toolSearchFacts(old: Side, new_: Side, { collector }: Tools): void {
  const [was, is] = [old, new_].map(({ model }) => model && toolMode(model))
  const haveTools = [old, new_].every(({ endpoints }) => endpoints.some(({ isTool }) => isTool))
  if (was === undefined || is === undefined || was === is || !haveTools) return
  const message =
    is === 'search'
      ? 'instead of a tool for each operation, agents see three tools that search, describe and call operations'
      : 'instead of three tools that search, describe and call operations, agents see a tool for each operation'
  const [a, b] = [old, new_].map(({ document }) => member(rootCursor(document), 'x-mcp'))
  const id = is === 'search' ? 'tool-search-added' : 'tool-search-removed'
  collector.add({ id, message, old: a, new: b, protocols: whereTools })
}

/** Reports a name that leads nowhere, or to another operation. */
function nameFacts(pair: OperationPair, { name }: Tool, is: Tool | undefined): void {
  if (name === is?.name) return
  const say = sayFor({ ...pair, after: { ...pair.after, isTool: true } })
  const taker = toolsOf(pair.new).get(name)
  if (taker !== undefined) {
    const message = `the tool ${name} is ${titleOf(taker)} instead of ${titleOf(pair.before)}`
    say('tool-moved', message, [name, titleOf(taker)])
  } else if (is !== undefined)
    say('tool-renamed', `the tool ${name} is now called ${is.name}`, [name, is.name])
  else say('tool-removed', `the tool ${name} was removed`, [name], removalOf(pair))
}

/** Like the removal of an operation: after the announced sunset it breaks nothing. */
function removalOf({ before, tools: { notice } }: OperationPair): Pick<Finding, 'level'> {
  const { deprecated, sunset } = lifecycleOf(before.operation.value)
  const isAnnounced = deprecated && sunset !== 'invalid' && (sunset ?? '') <= notice.today
  return isAnnounced ? { level: 'compatible' } : {}
}

/** The operations of a version by the names of their tools. */
function toolsOf(side: Side): ReadonlyMap<string, Endpoint> {
  const known = named.get(side)
  if (known !== undefined) return known
  const found = new Map(
    side.endpoints.flatMap((endpoint): [string, Endpoint][] => {
      const name = endpoint.modelled?.tool?.name
      return name === undefined ? [] : [[name, endpoint]]
    }),
  )
  named.set(side, found)
  return found
}

const named = new WeakMap<Side, ReadonlyMap<string, Endpoint>>()

type Say = (id: ChangeId, message: string, values: Finding['values'], more?: Partial<Finding>) => void

function sayFor(pair: OperationPair): Say {
  const [old, fresh] = [pair.before.operation, pair.after.operation]
  const ends = {
    old: member(old, 'x-mcp') ?? old,
    new: member(fresh, 'x-mcp') ?? fresh,
    protocols: whereTools,
  }
  return (id, message, values, more = {}) =>
    report(pair, { ...ends, id, message, ...(values && { values }), ...more })
}

function texts(say: Say, was: Tool, is: Tool): void {
  for (const key of ['title', 'description'] as const) {
    const [old = null, fresh = null] = [visible(was[key]), visible(is[key])]
    if (old === fresh) continue
    say(`tool-${key}-changed`, `the tool ${is.name} has another ${key}`, [old, fresh])
  }
}

/** Of a read-only tool, the other annotations mean nothing (MCP, `ToolAnnotations`). */
function hints(say: Say, was: ToolHints, { name, hints: is }: Tool): void {
  const lost = [
    ...(was.readOnly && !is.readOnly ? ['is no longer read-only'] : []),
    ...(isDestructive(is) && !isDestructive(was) ? ['may change or remove something'] : []),
    ...(isIdempotent(was) && !isIdempotent(is) ? ['is no longer idempotent'] : []),
  ]
  const gained = [
    ...(is.readOnly && !was.readOnly ? ['is read-only'] : []),
    ...(isDestructive(was) && !isDestructive(is) ? ['no longer changes or removes anything'] : []),
    ...(isIdempotent(is) && !isIdempotent(was) ? ['is idempotent'] : []),
  ]
  if (lost.length > 0) say('tool-became-riskier', `the tool ${name} ${lost.join(', ')}`, lost)
  if (gained.length > 0) say('tool-became-safer', `the tool ${name} ${gained.join(', ')}`, gained)
}

function isDestructive({ readOnly, destructive }: ToolHints): boolean {
  return !readOnly && destructive
}

function isIdempotent({ readOnly, idempotent }: ToolHints): boolean {
  return readOnly || idempotent
}

/** Compares which params agents send. A param that only one version has is reported elsewhere. */
function unseenParams(pair: OperationPair, was: Tool, is: Tool): void {
  const say = sayFor(pair)
  const [old, fresh] = [argumentsOf(pair.old, pair.before), argumentsOf(pair.new, pair.after)]
  for (const name of new Set([...unseenOf(was), ...unseenOf(is)])) {
    const [wasSeen, isSeen] = [was, is].map((tool) => !unseenOf(tool).includes(name))
    const more = { path: childPointer('', name) }
    if (wasSeen && !isSeen && old.has(name) && fresh.has(name))
      say('tool-param-hidden', `agents can no longer send ${name}`, [name], { ...more, evidence: {} })
    else if (!wasSeen && isSeen && isMissed(pair.new, fresh.get(name)))
      say('tool-param-required', `agents must send ${name}`, [name], { ...more, evidence: {} })
    else if (!wasSeen && isSeen && fresh.has(name))
      say('tool-param-shown', `agents can send ${name}`, [name], more)
    const [value, other] = [was.fixed[name], is.fixed[name]]
    if (value === undefined || other === undefined || fingerprint(value) === fingerprint(other)) continue
    const message = `${name} is ${JSON.stringify(other)} instead of ${JSON.stringify(value)} in every call of the tool`
    say('tool-fixed-value-changed', message, [name, value, other])
  }
}

type Arguments = ReturnType<typeof membersOf>

function argumentsOf(side: Side, { modelled }: Endpoint): Arguments {
  return modelled === undefined ? new Map() : membersOf(schemasOf(side), modelled.params)
}

/** Whether a call without an argument is refused. */
function isMissed(side: Side, argument: ObjectMember | undefined): boolean {
  return argument?.required === true && defaultOf(schemasOf(side), argument.schema) === undefined
}

/** Compares the texts of arguments that agents send in both versions. */
export function argumentTextFacts(pair: OperationPair): void {
  const tool = pair.after.modelled?.tool
  if (tool === undefined || pair.before.modelled?.tool === undefined) return
  const unseen = new Set([...unseenOf(pair.before.modelled.tool), ...unseenOf(tool)])
  const [olds, news] = [argumentsOf(pair.old, pair.before), argumentsOf(pair.new, pair.after)]
  const changed = [...news].flatMap(([name, { schema }]) => {
    const old = olds.get(name)
    if (old === undefined || unseen.has(name)) return []
    const [was, is] = [textOf(pair.old, old.schema), textOf(pair.new, schema)]
    return was === is ? [] : [name, was, is]
  })
  if (changed.length === 0) return
  const names = changed.filter((_, index) => index % 3 === 0)
  const message = `the documentation of the tool ${tool.name} changed: ${names.join(', ')}`
  sayFor(pair)('tool-description-changed', message, changed)
}

function textOf(side: Side, schema: Schema): string | null {
  const { description } = asObject(resolve(schemasOf(side), schema))
  return visible(description) ?? null
}

/** A text as a tool has it. */
function visible(text: unknown): string | undefined {
  return typeof text === 'string' ? visibleText(text) : undefined
}

/** What a result is in a response of `tools/call`. */
function formOf({ modelled }: Endpoint): string {
  const { tool, rest: { answers = [] } = {}, result } = modelled ?? {}
  if (tool?.structured !== undefined) return 'structured content'
  if (answers.length === 0) return isObject(result) && own(result, 'type') === 'null' ? 'no content' : 'text'
  const forms = answers.map(({ kind, type }) => {
    const family = /^(image|audio)\//.exec(type)?.[1]
    return kind !== 'binary' ? 'text' : (family ?? 'a file')
  })
  return [...new Set(forms)].sort().join(' or ')
}

function unseenOf({ fixed, hidden }: Tool): string[] {
  return [...Object.keys(fixed), ...hidden]
}
