import { createHash } from 'node:crypto'
import type { Code } from '../../diagnostics/catalogue.js'
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { type Cursor, elements, member, members, objectOf, rootCursor, text } from '../../document/cursor.js'
import type { Document } from '../../document/document.js'
import { isArray, isObject, own, quoted } from '../../document/json.js'
import { closest } from '../../document/spelling.js'
import { membersOf } from '../../schema/alternative-members.js'
import { allowedTypes } from '../../schema/coercion.js'
import { refuses } from '../../schema/instance.js'
import { referenceOf, requiredOf, type Schema } from '../../schema/schema.js'
import type { Operation, Tool, ToolHints } from '../model.js'

type Called = Pick<
  Operation,
  'description' | 'idempotencyKey' | 'idempotent' | 'name' | 'params' | 'rest' | 'result' | 'summary'
>

interface Reading {
  readonly document: Document
  readonly schemas: ReadonlyMap<string, Schema>
  readonly diagnostics: Diagnostic[]
}

/** The members of `x-mcp`, and whether a value is one. */
const settings: Readonly<Record<string, (value: unknown) => boolean>> = {
  name: isText,
  title: isText,
  description: isText,
  hidden: (value) => isArray(value) && value.every(isText),
  fixed: isObject,
  readOnly: isFlag,
  destructive: isFlag,
  idempotent: isFlag,
}

const hintNames = ['readOnly', 'destructive', 'idempotent'] as const

/** The tool that `x-mcp` makes of an operation. Undefined: it makes none. */
export function readTool(reading: Reading, operation: Cursor, called: Called): Tool | undefined {
  const stated = member(operation, 'x-mcp')
  if (stated === undefined || stated.value === false) return undefined
  const report = (code: Code, message: string, { pointer }: Pick<Cursor, 'pointer'>, remedy?: string) => {
    const at = reading.document.locate(pointer)
    reading.diagnostics.push(diagnose(code, message, at, remedy === undefined ? {} : { remedy }))
  }
  if (stated.value !== true && !isObject(stated.value)) {
    report('mcp-invalid', `x-mcp of ${called.name} is ${quoted(stated.value)}`, stated)
    return undefined
  }
  const said = members(stated).filter((setting) => {
    const fits = Object.hasOwn(settings, setting.key) ? settings[setting.key] : undefined
    if (fits?.(setting.value) === true) return true
    const similar = fits === undefined ? closest(setting.key, Object.keys(settings)) : undefined
    const message =
      fits === undefined
        ? `x-mcp has no member ${quoted(setting.key)}`
        : `${setting.key} of x-mcp is ${quoted(setting.value)}`
    report('mcp-invalid', message, setting, similar && `Did you mean ${similar}?`)
    return false
  })
  const setting = (key: string) => said.find((each) => each.key === key)
  const params = membersOf(reading.schemas, called.params)
  const fixed = members(setting('fixed'))
  const hidden = elements(setting('hidden'))
  for (const { key, ...at } of [...fixed, ...hidden.map((each) => ({ ...each, key: String(each.value) }))]) {
    if (params.has(key)) continue
    const similar = closest(key, params.keys())
    const message =
      key === '__tz'
        ? 'x-mcp cannot hide or fix __tz, by which agents choose the time zone of datetimes'
        : `${called.name} has no param ${quoted(key)}`
    report('mcp-param-unknown', message, at, similar && `Did you mean ${similar}?`)
  }
  const resolve = (reference: string) => reading.schemas.get(referenceOf({ $ref: reference }) ?? '')
  for (const { key, value, ...at } of fixed) {
    if (!refuses(params.get(key)?.schema ?? true, value, resolve)) continue
    report('mcp-fixed-invalid', `${quoted(value)} is not a value of ${key}`, at)
  }
  for (const each of hidden) {
    if (params.get(String(each.value))?.required === true)
      report('mcp-param-required', `${called.name} requires the hidden param ${quoted(each.value)}`, each)
  }
  const derived = hintsOf(called)
  const hints: { -readonly [Hint in keyof ToolHints]: boolean } = { ...derived }
  for (const hint of hintNames) {
    const statement = setting(hint)
    if (statement === undefined || statement.value === derived[hint]) continue
    if (statement.value === (hint === 'destructive')) hints[hint] = statement.value
    else {
      const message = `${hint}: ${quoted(statement.value)} promises more than ${called.rest.method} does`
      report('mcp-hint-invalid', message, statement)
    }
  }
  const name = text(stated.value, 'name') ?? derivedName(called.name)
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name))
    report('mcp-name-invalid', `Some clients refuse the tool name ${quoted(name)}`, setting('name') ?? stated)
  return {
    name,
    title: text(stated.value, 'title') ?? called.summary,
    description: text(stated.value, 'description') ?? called.description ?? called.summary,
    fixed: objectOf(fixed.map(({ key, value }) => [key, value])),
    hidden: hidden.map(({ value }) => String(value)),
    hints,
    structured: structureOf(reading, called),
  }
}

/** An operation's name with `_` for dots. If it is too long, its end is a hash of all of it, so that it stays unique. */
function derivedName(operation: string): string {
  const name = operation.replaceAll('.', '_')
  if (name.length <= longestName) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 6)
  return `${name.slice(0, longestName - 7).replace(/[_-]+$/, '')}_${hash}`
}

/** Some clients refuse the whole list for one longer name. */
const longestName = 64

/** What the tools of a document must not share. */
export function checkTools(
  document: Document,
  operations: readonly Pick<Operation, 'name' | 'rest' | 'source' | 'tool'>[],
  diagnostics: Diagnostic[],
): void {
  if (operations.every(({ tool }) => tool === undefined)) return
  const add = (code: Code, message: string, { pointer }: Pick<Cursor, 'pointer'>) =>
    diagnostics.push(diagnose(code, message, document.locate(pointer)))
  const first = new Map<string, string>()
  for (const { name, rest, source, tool } of operations) {
    if (rest.method === 'POST' && rest.path === '/mcp')
      add('mcp-path-taken', `${name} has the address of MCP: POST /mcp`, source)
    if (tool === undefined) continue
    const other = first.get(tool.name)
    if (other === undefined) first.set(tool.name, name)
    else add('mcp-name-duplicate', `${other} and ${name} are both the tool ${quoted(tool.name)}`, source)
  }
}

/** The size above which agents search for tools: `maxBytes` of the document's own `x-mcp`. */
export function readToolBytes(document: Document, diagnostics: Diagnostic[]): number | undefined {
  const stated = member(rootCursor(document), 'x-mcp')
  if (stated === undefined) return undefined
  const maxBytes = isObject(stated.value) ? own(stated.value, 'maxBytes') : undefined
  const isOnly = isObject(stated.value) && Object.keys(stated.value).length === 1
  if (isOnly && typeof maxBytes === 'number' && Number.isSafeInteger(maxBytes) && maxBytes > 0)
    return maxBytes
  const message = 'x-mcp of the document has only maxBytes, a whole number from 1'
  diagnostics.push(diagnose('mcp-invalid', message, document.locate(stated.pointer)))
  return undefined
}

/** RFC 9110, section 9.2. A POST that answers 201 creates, and any other may do anything. */
function hintsOf({ rest, params, idempotent, idempotencyKey }: Called): ToolHints {
  const readOnly = ['GET', 'HEAD', 'OPTIONS', 'QUERY', 'TRACE'].includes(rest.method)
  const creates = rest.method === 'POST' && (rest.statuses ?? [rest.status]).includes(201)
  return {
    readOnly,
    destructive: !readOnly && !creates,
    idempotent: idempotent || requiredOf(params).some((name) => name === idempotencyKey),
  }
}

/** Older revisions of MCP take no structured result but an object. */
function structureOf(
  { schemas }: Pick<Reading, 'schemas'>,
  { rest, result }: Pick<Called, 'rest' | 'result'>,
): Tool['structured'] {
  if (rest.answers?.some(({ kind }) => kind !== 'json') === true) return undefined
  const types = allowedTypes(schemas, result)
  const isOnly = (type: string) => types?.size === 1 && [...types].every((each) => each === type)
  if (isOnly('null')) return undefined
  return isOnly('object') ? 'whole' : 'member'
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean'
}
