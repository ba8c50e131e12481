import { takes } from '../diff/facts/parts/media.js'
import type { Model } from '../model/model.js'
import type { Exercised } from './exercised.js'
import type { Finding } from './finding.js'
import type { DeclaredResponse } from './judge/declarations.js'
import type { TargetResponse } from './target.js'

/** What all answers over REST have in common, as far as the document does not describe them so. */
export class CommonResponse {
  #count = 0
  #pages = 0
  #redirects = 0
  #first: TargetResponse | undefined

  /** @param declared the response that the document has for the status */
  add(answer: TargetResponse, declared: DeclaredResponse | undefined): void {
    const { status, body, headers } = answer
    this.#first ??= answer
    this.#count += 1
    const isDescribed = /^3/.test(declared?.key ?? '')
    if (status >= 300 && status < 400 && status !== 304 && !isDescribed) this.#redirects += 1
    const isPage = /^\s*<(!doctype|html)/i.test(body)
    const isDeclared = declared?.types.some((type) => takes(type, headers['content-type'] ?? '')) ?? false
    if (isPage && !isDeclared) this.#pages += 1
  }

  /** Undefined if some answer is of another kind. */
  get text(): string | undefined {
    if (this.#first === undefined) return undefined
    const { status, headers } = this.#first
    if (this.#redirects === this.#count) {
      const to = headers.location ?? 'another address'
      return `redirects every call (${status}), to ${to}. Redirects are not followed. If that is the server, test that address.`
    }
    return this.#pages === this.#count ? `answers every call with an HTML page (${status}).` : undefined
  }
}

/**
 * Why there is nothing to test at an address: it has none of the document's paths, or something else answers there.
 * Undefined if there is.
 */
export function hopelessness(
  findings: readonly Finding[],
  operations: readonly Exercised[],
  answers: CommonResponse,
  { basePath }: Pick<Model, 'basePath'>,
): string | undefined {
  const called = operations.filter(({ calls }) => calls > 0)
  if (called.length === 0) return undefined
  const isElsewhere =
    findings.every(({ status }) => status === 404) && called.every(({ why = '' }) => why.endsWith(' 404'))
  if (!isElsewhere || called.some((row) => row.isReached)) return answers.text
  const hint =
    basePath === '' ? 'Add their base path to the address' : `The path of its first server is ${basePath}`
  return `answers every call with 404: the document's paths are elsewhere. ${hint}.`
}
