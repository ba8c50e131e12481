import { pointerTo } from '../../contract/pointer.js'
import { ProblemError } from '../../contract/problem.js'
import type { Violation } from '../../contract/problem-details.js'
import { undeclared } from '../../contract/violations.js'
import { isJsonObject, type JsonObject } from '../../values/object.js'
import { textContent } from './content.js'
import { unknownTool } from './refusal.js'
import type { ToolCall } from './tool-call.js'
import type { ToolDescription } from './tools.js'

// For apis with more operations than a model can read at once: three tools find, describe and call all of them.

export const SEARCH = 'search_operations'
export const DESCRIBE = 'describe_operation'
export const CALL = 'call_operation'

const name = { type: 'string', description: 'Name of the operation, as search_operations returns it.' }

/** The tools of the mode `search`. A call may do whatever one of the operations does. */
export function searchTools(tools: readonly ToolDescription[]): readonly ToolDescription[] {
  const every = (hint: string) =>
    tools.every(({ annotations = {} }) => Reflect.get(annotations, hint) === true)
  const some = (hint: string) => tools.some(({ annotations = {} }) => Reflect.get(annotations, hint) === true)
  return [
    {
      name: CALL,
      title: 'Call an operation',
      description: 'Calls an operation. Its description has the schema of its arguments.',
      inputSchema: object({ name, arguments: { type: 'object' } }, ['name']),
      annotations: {
        readOnlyHint: every('readOnlyHint'),
        destructiveHint: some('destructiveHint'),
        idempotentHint: every('idempotentHint'),
      },
    },
    {
      name: DESCRIBE,
      title: 'Describe an operation',
      description: 'Returns what an operation does, and the schemas of its arguments and of its result.',
      inputSchema: object({ name }, ['name']),
      annotations: reads,
    },
    {
      name: SEARCH,
      title: 'Search operations',
      description: `Finds operations by words of their names and descriptions. Returns at most ${MOST_FOUND}.`,
      inputSchema: object({ query: { type: 'string', description: 'Words to look for.' } }, ['query']),
      annotations: reads,
    },
  ]
}

type SearchTool = typeof CALL | typeof DESCRIBE | typeof SEARCH

/** A refusal of what an agent sent to one of the three tools: a result, so that the model can correct it. */
export class RefusedArguments extends ProblemError {
  constructor(violations: readonly Violation[]) {
    super('validation_failed', { violations })
  }
}

/**
 * Checks arguments by the schema that the tool states.
 *
 * @param operations by the names of their tools
 * @throws RefusedArguments
 * @throws McpError if the tool is none of the three
 */
export function checkArguments(
  tool: unknown,
  args: JsonObject,
  operations: ReadonlyMap<string, unknown>,
): asserts tool is SearchTool {
  if (tool !== CALL && tool !== DESCRIBE && tool !== SEARCH) throw unknownTool(tool)
  const needed = tool === SEARCH ? 'query' : 'name'
  const { [needed]: text, arguments: inner = {} } = args
  const violations: Violation[] = Object.keys(args)
    .filter((key) => key !== needed && !(tool === CALL && key === 'arguments'))
    .map((key) => undeclared(pointerTo('', key)))
  if (text === undefined)
    violations.push({ path: '', keyword: 'required', message: `must have required property '${needed}'` })
  else if (typeof text !== 'string')
    violations.push({ path: `/${needed}`, keyword: 'type', message: 'must be string' })
  else if (tool === CALL && !operations.has(text)) violations.push(unknownOperation)
  if (tool === CALL && !isJsonObject(inner))
    violations.push({ path: '/arguments', keyword: 'type', message: 'must be object' })
  if (violations.length > 0) throw new RefusedArguments(violations.slice(0, MOST_FOUND))
}

const unknownOperation: Violation = {
  path: '/name',
  keyword: 'enum',
  message: `must be the name of an operation, as ${SEARCH} returns it`,
}

/** The call of an operation by checked arguments of `call_operation`. */
export function operationCall(args: JsonObject, inexact: readonly Violation[]): ToolCall {
  return {
    name: args.name,
    args: isJsonObject(args.arguments) ? args.arguments : {},
    inexact: inexact.map(({ path, ...violation }) => ({
      ...violation,
      path: path.replace('/arguments', ''),
    })),
  }
}

/**
 * The members of a result that finds operations, or describes one.
 *
 * @throws RefusedArguments for an unknown operation
 */
export function explained(
  tools: readonly ToolDescription[],
  name: typeof SEARCH | typeof DESCRIBE,
  { query, name: called }: JsonObject,
): string {
  const tool = tools.find((each) => each.name === called)
  if (name === DESCRIBE && tool === undefined) throw new RefusedArguments([unknownOperation])
  const text = JSON.stringify(name === DESCRIBE ? tool : { operations: found(tools, String(query ?? '')) })
  return `${textContent(text)},"structuredContent":${text}`
}

/** The tools that have the most words of a query, the best one first. */
function found(tools: readonly ToolDescription[], query: string): readonly object[] {
  const words = [...new Set(wordsOf(query.slice(0, LONGEST_QUERY)))]
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, words) }))
    .filter(({ score }) => score > 0 || words.length === 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_FOUND)
    .map(({ tool: { name, title, description = '' } }) => ({
      name,
      ...(title !== undefined && { title }),
      description: description.slice(0, LONGEST_DESCRIPTION),
    }))
}

/** A word in the name or the title counts as three in the description. */
function scoreOf({ name, title = '', description = '' }: ToolDescription, words: readonly string[]): number {
  const head = `${name} ${title}`.toLowerCase()
  const text = description.toLowerCase()
  return words.reduce(
    (score, word) => score + (head.includes(word) ? 3 : 0) + (text.includes(word) ? 1 : 0),
    0,
  )
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

function object(properties: object, required: readonly string[]): object {
  return { type: 'object', properties, required, additionalProperties: false }
}

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true }

const MOST_FOUND = 10
const LONGEST_QUERY = 200
const LONGEST_DESCRIPTION = 200
