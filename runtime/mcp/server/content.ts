import type { Operation } from '../../contract/operation.js'
import type { Problem } from '../../contract/problem-details.js'
import { REFUSAL_BYTES, withinBytes } from '../../contract/problem-size.js'
import { essenceOf } from '../../http/media-type.js'
import type { Failure } from '../../server/outcome/outcome.js'
import type { Procedure } from '../../server/procedure.js'
import { collected, type MediaResult, mediaResultOf } from '../../server/result/media-result.js'
import { toBase64 } from '../../values/base64.js'
import type { Eventual } from '../../values/eventual.js'
import { jsonText } from '../../values/json-text.js'

/**
 * The members of a tool's result.
 *
 * @param limit most bytes of a file or stream
 * @throws ProblemError `payload_too_large` for more bytes
 */
export function resultContent(
  result: unknown,
  { operation, stringify }: Procedure,
  limit: number,
): Eventual<string> {
  const answer = operation.rest.answers === undefined ? undefined : mediaResultOf(result, operation)
  if (answer !== undefined) return mediaContent(answer, operation.name, limit)
  return jsonContent(stringify(result), operation)
}

/** The members of a tool's result (MCP 2026-07-28, `CallToolResult`) for a result in JSON. */
export function jsonContent(text: string, { tool }: Pick<Operation, 'tool'>): string {
  if (tool?.structured === undefined) return text === 'null' ? '"content":[]' : textContent(text)
  const content = textContent(text)
  return `${content},"structuredContent":${tool.structured === 'whole' ? text : `{"result":${text}}`}`
}

/**
 * The same for a text, bytes, or a stream, which is collected.
 *
 * @param limit most bytes to collect
 * @throws ProblemError `payload_too_large` for more bytes
 */
async function mediaContent(answer: MediaResult, name: string, limit: number): Promise<string> {
  const { kind, content } = answer
  const type = essenceOf(answer.type)
  const bytes = typeof content === 'string' ? undefined : await collected(content, limit)
  if (bytes === undefined || kind !== 'binary' || type.startsWith('text/'))
    return textContent(bytes === undefined ? String(content) : new TextDecoder().decode(bytes))
  const data = toBase64(bytes)
  const [family] = type.split('/')
  const block =
    family === 'image' || family === 'audio'
      ? { type: family, data, mimeType: type }
      : { type: 'resource', resource: { uri: `result:${name}`, mimeType: type, blob: data } }
  return `"content":[${JSON.stringify(block)}]`
}

/** The result of a failed call: a text for the model, and the problem for programs. */
export function failureContent({ problem, bodyOf }: Failure, isStructured: boolean): string {
  // The violations are in the text as well.
  const sent = withinBytes(problem, (REFUSAL_BYTES * 7) / 16)
  const text = `${textContent(problemText(sent))},"isError":true`
  return isStructured ? `${text},"structuredContent":${bodyOf?.(sent)?.text ?? jsonText(sent)}` : text
}

/** What is wrong, in lines: a model corrects its call by them. */
function problemText({ title, code, detail, errors = [], retryAfter }: Problem): string {
  return [
    `${title} (${code})${detail === undefined ? '' : `: ${detail}`}`,
    ...errors.map(({ path, message }) => `${path === '' ? 'The arguments' : path} ${message}`),
    ...(retryAfter === undefined ? [] : [`Try again in ${retryAfter} s.`]),
  ].join('\n')
}

/** The member of a result with one text. */
export function textContent(text: string): string {
  return `"content":[{"type":"text","text":${JSON.stringify(text)}}]`
}
