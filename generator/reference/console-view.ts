import type { Protocol } from 'duet-runtime'
import { protocolNames, protocols } from '../diff/change/protocol.js'
import type { Json } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { keepDigits, writtenJson } from '../document/written-digits.js'
import { hasTools } from '../mcp/has-tools.js'
import { toolMode } from '../mcp/tool-mode.js'
import type { Model, Operation } from '../model/model.js'
import { toolCall } from '../samples/tool-call.js'
import type { Example } from './example.js'
import { markdownHtml } from './html/markdown.js'
import { type Sample, samplesOf } from './samples/samples.js'

/** The column beside an operation's text: calls in each language, and responses by status. */
export interface ConsoleView {
  readonly protocols: readonly ProtocolChoice[]
  readonly languages: readonly { readonly id: string; readonly name: string }[]
  readonly samples: readonly SampleBlock[]
  readonly statuses: readonly StatusTab[]
  readonly answers: readonly ResponseBlock[]
  /** The document's requests to pick from, first that of the samples. Empty if there is one at most. */
  readonly requests: readonly RequestBlock[]
  /** What the document says of the first result, and its further responses. */
  readonly result: AnswerBlock | undefined
  /** The status whose response is made from the schema. */
  readonly sampled: string | undefined
  readonly others: readonly AnswerBlock[]
}

/** An example of the document that has a name, or is not the first. */
interface NamedBlock {
  readonly name: string
  readonly label: string
  readonly description: string
}

interface RequestBlock extends NamedBlock {
  /** Empty if the samples show it. */
  readonly text: string
}

interface AnswerBlock extends NamedBlock {
  readonly status: string
  /** Over each protocol. Empty if the page shows it elsewhere. */
  readonly texts: readonly BodyText[]
}

interface BodyText {
  /** The chosen protocols for which it is shown. */
  readonly over: string
  readonly title: string
  readonly text: string
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

interface ResponseBlock extends BodyText {
  readonly status: string
}

/** @param module the module of the typed client */
export function consoleView(
  model: Model,
  operation: Operation,
  { params, request, result, hasResult, requests, results }: Example,
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
  const [shown, ...others] = results.map((one) => ({
    ...named(one),
    status,
    texts: one.result === results[0]?.result ? [] : resultTexts(operation, one.result),
  }))
  return {
    protocols: protocols
      .filter((id) => id !== 'mcp' || hasTools(model))
      .map((id) => ({ id, name: protocolNames[id], offered: offered.has(id) })),
    languages: samples.map(({ id, language }) => ({ id, name: language })),
    samples: sampleBlocks(samples),
    statuses: statusTabs(model, operation),
    answers: [...successBlocks(operation, result), ...failureBlocks(model, operation)],
    requests: requests.map((one, index) => ({
      ...named(one),
      text: index === 0 ? '' : JSON.stringify(one.params, null, 2),
    })),
    result: shown,
    sampled: hasResult || isEmpty(operation, result) ? undefined : status,
    others: [...others, ...furtherFailures(model, operation)],
  }
}

function named({
  name,
  summary,
  description,
}: Example['requests'][number] | Example['results'][number]): NamedBlock {
  const label = summary?.trim() ?? (name === 'default' ? 'Example' : name)
  return { name, label, description: description === undefined ? '' : markdownHtml(description) }
}

/** The examples of an error body after the first. */
function furtherFailures(model: Model, operation: Operation): AnswerBlock[] {
  return operation.failures.flatMap(({ response: status, examples }) =>
    examples.slice(1, mostFailures).map((example, index) => ({
      name: '',
      label: failureName(example) ?? `Example ${index + 2}`,
      description: '',
      status,
      texts: failureTexts(model, operation, status, example),
    })),
  )
}

const mostFailures = 10

/** What an error body, or the error in it, is called by: its title, code, message or type. */
function failureName(example: Json): string | undefined {
  if (!isObject(example)) return undefined
  const inner = own(example, 'error')
  return [example, ...(isObject(inner) ? [inner] : [])]
    .flatMap((body) => ['title', 'code', 'message', 'type'].map((member) => own(body, member)))
    .filter((text) => typeof text === 'string')
    .find((text) => text.trim() !== '')
}

/** The body of an error over each protocol, if the operation has a code of its status. */
function failureTexts({ errors }: Model, operation: Operation, status: string, example: Json): BodyText[] {
  const body = typeof example === 'string' ? example : shortened(example, 0)
  const rest = typeof body === 'string' ? body : shortJson(body)
  const ofStatus = operation.errors.filter((code) => String(errors.get(code)?.status) === status)
  const stated = isObject(example) ? own(example, 'code') : undefined
  const code = ofStatus.find((one) => one === stated) ?? ofStatus[0]
  const definition = code === undefined ? undefined : errors.get(code)
  if (definition === undefined) return [{ over: protocols.join(' '), title: status, text: rest }]
  const { title, rpc } = definition
  return byProtocol(operation, status, {
    rest,
    jsonrpc: shortJson({ ...envelope, error: { code: rpc, message: title, data: body } }),
    mcp: shortJson({
      ...envelope,
      result: {
        content: [{ type: 'text', text: `${title} (${code})` }],
        isError: true,
        ...(operation.tool?.structured !== undefined && isObject(body) && { structuredContent: body }),
      },
    }),
  })
}

const envelope = { jsonrpc: '2.0', id: 1 }

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
  const status = String(operation.rest.status)
  return resultTexts(operation, result).map((one) => ({ ...one, status }))
}

function resultTexts(operation: Operation, result: Json): BodyText[] {
  const { rest, rpc, tool } = operation
  const shown = shortened(result, 0)
  return byProtocol(operation, String(rest.status), {
    rest: isEmpty(operation, result) ? 'No content' : shortJson(shown),
    jsonrpc: rpc === false ? '' : shortJson({ ...envelope, result: shown }),
    mcp: tool === undefined ? '' : shortJson({ ...envelope, result: toolResult(operation, shown) }),
  })
}

function isEmpty({ rest }: Operation, result: Json): boolean {
  return rest.status === 204 || result === null
}

function byProtocol(
  operation: Operation,
  status: string,
  texts: { readonly [id in Protocol]: string },
): BodyText[] {
  const offered = offeredBy(operation)
  const over = covering(protocols, (id) => offered.includes(id))
  return offered.map((id) => ({
    over: over(id),
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
function failureBlocks(model: Model, operation: Operation): ResponseBlock[] {
  return operation.failures.flatMap(({ response: status, examples: [example] }) =>
    example === undefined
      ? []
      : failureTexts(model, operation, status, example).map((one) => ({ ...one, status })),
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
