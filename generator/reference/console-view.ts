import type { Protocol } from 'duet-runtime'
import { protocolNames, protocols } from '../diff/change/protocol.js'
import type { Json } from '../document/document.js'
import { isArray } from '../document/json.js'
import { keepDigits, writtenJson } from '../document/written-digits.js'
import { hasTools } from '../mcp/has-tools.js'
import { toolMode } from '../mcp/tool-mode.js'
import type { Model, Operation } from '../model/model.js'
import { toolCall } from '../samples/tool-call.js'
import type { Example } from './example.js'
import { markdownHtml } from './markdown.js'
import { type Sample, samplesOf } from './samples/samples.js'

/** The column beside an operation's text: calls in each language, and responses by status. */
export interface ConsoleView {
  readonly protocols: readonly ProtocolChoice[]
  readonly languages: readonly { readonly id: string; readonly name: string }[]
  readonly samples: readonly SampleBlock[]
  readonly statuses: readonly StatusTab[]
  readonly answers: readonly ResponseBlock[]
  /** The document's requests to pick from, first that of the samples. Empty if there is one at most. */
  readonly requests: readonly ExampleBlock[]
  /** What the document says of the first result, and its further responses. */
  readonly result: ExampleBlock | undefined
  readonly others: readonly ExampleBlock[]
}

/** An example of the document that has a name, or is not the first. */
interface ExampleBlock {
  readonly name: string
  readonly label: string
  readonly description: string
  /** Empty if the page shows it elsewhere. */
  readonly text: string
  /** Empty for a request. */
  readonly status: string
}

interface ProtocolChoice {
  readonly id: Protocol
  readonly name: string
  /** Whether the operation can be called over it. */
  readonly offered: boolean
}

interface SampleBlock {
  /** The chosen protocols for which it is shown: its own, and those that the operation does not have. */
  readonly over: string
  /** The chosen languages, in the same way. */
  readonly languages: string
  readonly title: string
  readonly text: string
}

interface StatusTab {
  readonly status: string
  readonly tone: 'is-fine' | 'is-wrong'
}

interface ResponseBlock {
  readonly over: string
  readonly status: string
  readonly title: string
  readonly text: string
}

/** @param module the module of the typed client */
export function consoleView(
  model: Model,
  operation: Operation,
  { params, request, result, requests, results }: Example,
  module: string,
): ConsoleView {
  const samples =
    params === undefined
      ? []
      : samplesOf(
          model,
          operation,
          params,
          operation.routed ? request : undefined,
          toolCall(operation, params, toolMode(model)),
          module,
        )
  const offered = new Set(offeredBy(operation))
  const status = String(operation.rest.status)
  const [shown, ...others] = results.map((one) =>
    exampleBlock(one, one.result === results[0]?.result ? '' : shortJson(shortened(one.result, 0)), status),
  )
  return {
    protocols: protocols
      .filter((id) => id !== 'mcp' || hasTools(model))
      .map((id) => ({ id, name: protocolNames[id], offered: offered.has(id) })),
    languages: samples.map(({ id, language }) => ({ id, name: language })),
    samples: sampleBlocks(samples),
    statuses: statusTabs(model, operation),
    answers: [...successBlocks(operation, result), ...failureBlocks(operation)],
    requests: requests.map((one, index) =>
      exampleBlock(one, index === 0 ? '' : JSON.stringify(one.params, null, 2)),
    ),
    result: shown,
    others: [...others, ...furtherFailures(operation)],
  }
}

function exampleBlock(
  { name, summary, description }: Example['requests'][number] | Example['results'][number],
  text: string,
  status = '',
): ExampleBlock {
  const label = summary?.trim() ?? (name === 'default' ? 'Example' : name)
  return {
    name,
    label,
    description: description === undefined ? '' : markdownHtml(description),
    text,
    status,
  }
}

/** The examples of an error body after the first. */
function furtherFailures({ failures }: Operation): ExampleBlock[] {
  return failures.flatMap(({ response: status, examples }) =>
    examples.slice(1, mostFailures).map((example, index) => ({
      ...{ name: '', label: `Example ${index + 2}`, description: '', status },
      text: failureText(example),
    })),
  )
}

const mostFailures = 10

function failureText(example: Json): string {
  return typeof example === 'string' ? example : shortJson(shortened(example, 0))
}

/** The protocols that an operation can be called over. */
function offeredBy({ routed, rpc, tool }: Operation): Protocol[] {
  return [
    ...(routed ? (['rest'] as const) : []),
    ...(rpc === false ? [] : (['jsonrpc'] as const)),
    ...(tool === undefined ? [] : (['mcp'] as const)),
  ]
}

function sampleBlocks(samples: readonly Sample[]): SampleBlock[] {
  const over = covering(protocols, (id) => samples.some((sample) => sample[id] !== undefined))
  return protocols.flatMap((id) => {
    const written = samples.filter((sample) => sample[id] !== undefined)
    const languages = covering(
      samples.map((sample) => sample.id),
      (language) => written.some((sample) => sample.id === language),
    )
    return written.map((sample) => ({
      over: over(id),
      languages: languages(sample.id),
      title: `${sample.language}, ${protocolNames[id]}`,
      text: sample[id] ?? '',
    }))
  })
}

/** The names for which one that exists is shown: itself, and for the first also those that do not exist. */
function covering<Name extends string>(
  all: readonly Name[],
  exists: (name: Name) => boolean,
): (name: Name) => string {
  const missing = all.filter((name) => !exists(name))
  const first = all.find(exists)
  return (name) => [name, ...(name === first ? missing : [])].join(' ')
}

/** The statuses of successes, of the document's own error bodies, and of the codes of the catalogue. */
function statusTabs({ errors }: Model, { rest, failures, errors: codes }: Operation): StatusTab[] {
  const fine = [...new Set([rest.status, ...(rest.statuses ?? [])].map(String))]
  const wrong = new Set([
    ...failures.map(({ response }) => response),
    ...codes.flatMap((code) => errors.get(code)?.status.toString() ?? []),
  ])
  return [
    ...fine.map((status) => ({ status, tone: 'is-fine' as const })),
    ...[...wrong].sort().map((status) => ({ status, tone: 'is-wrong' as const })),
  ]
}

function successBlocks(operation: Operation, result: Json): ResponseBlock[] {
  const { rest, rpc, tool } = operation
  const status = String(rest.status)
  const shown = shortened(result, 0)
  const isEmpty = rest.status === 204 || result === null
  const texts: { readonly [id in Protocol]: string } = {
    rest: isEmpty ? 'No content' : shortJson(shown),
    jsonrpc: rpc === false ? '' : shortJson({ jsonrpc: '2.0', id: 1, result: shown }),
    mcp: tool === undefined ? '' : shortJson({ jsonrpc: '2.0', id: 1, result: toolResult(operation, shown) }),
  }
  const offered = offeredBy(operation)
  const over = covering(protocols, (id) => offered.includes(id))
  return offered.map((id) => ({
    over: over(id),
    status,
    title: `${status}, ${protocolNames[id]}`,
    text: texts[id],
  }))
}

/** MCP 2026-07-28, CallToolResult. */
function toolResult({ tool }: Operation, result: Json): Json {
  const content = result === null ? [] : [{ type: 'text', text: JSON.stringify(result) }]
  if (tool?.structured === undefined) return { content }
  return { content, structuredContent: tool.structured === 'whole' ? result : { result } }
}

/** The document's examples of its own error bodies. */
function failureBlocks({ failures }: Operation): ResponseBlock[] {
  return failures.flatMap(({ response, examples: [example] }) =>
    example === undefined
      ? []
      : [
          {
            over: protocols.join(' '),
            status: response,
            title: response,
            text: failureText(example),
          },
        ],
  )
}

/** JSON with a maximum number of lines. */
export function shortJson(value: Json): string {
  const lines = writtenJson(value, 2).split('\n')
  return lines.length <= mostLines ? lines.join('\n') : [...lines.slice(0, mostLines), '…'].join('\n')
}

/** Keeps the first two items of a list, or just one of a nested list. */
export function shortened(value: Json, depth: number): Json {
  if (typeof value !== 'object' || value === null) return value
  const made = isArray(value)
    ? value.slice(0, depth === 0 ? 2 : 1).map((item) => shortened(item, depth + 1))
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item, depth + 1)]))
  keepDigits(value, made)
  return made
}

const mostLines = 60
