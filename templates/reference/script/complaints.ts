import type { Members } from './editor/editor-part.js'
import { requiredMessage } from './editor/stand-ins.js'
import { isSchema, type Schema } from './page.js'
import type { Over } from './request.js'

/** Errors of values, from the service, or from the client if it refuses to send them. */
type Wrong = readonly { readonly path?: unknown; readonly message?: unknown }[]

/** Shows each protocol's errors next to their fields. An error that both protocols report appears once. */
export class Complaints {
  readonly #found = new Map<Over, Wrong>()

  constructor(readonly forms: readonly Members[]) {}

  clear(): void {
    this.#found.clear()
    this.#show()
  }

  put(protocol: Over, wrong: Wrong): void {
    this.#found.set(protocol, wrong)
    this.#show()
  }

  /** The control of the first error that is shown in a form. */
  first(form: ParentNode): HTMLElement | undefined {
    const [shown] = form.querySelectorAll<HTMLElement>('[aria-invalid="true"], .field > .wrong:not(:empty)')
    if (shown === undefined || shown.hasAttribute('aria-invalid')) return shown
    // That of a list or an object, which has no control of its own.
    return shown.closest('.field')?.querySelector<HTMLElement>('input, select, textarea, button') ?? shown
  }

  /** Removes the errors of the edited control, and of the groups that it is in. */
  edited(control: EventTarget | null): void {
    this.#found.clear()
    if (!(control instanceof Element)) return
    control.removeAttribute('aria-invalid')
    for (let at = control.closest('.field'); at; at = at.parentElement?.closest('.field') ?? null)
      for (const wrong of at.querySelectorAll(':scope > .wrong')) wrong.textContent = ''
  }

  #show(): void {
    for (const form of this.forms) form.forgive()
    const shown = new Set<string>()
    for (const { path, message } of [...this.#found.values()].flat()) {
      const missing = /^must have required property '(.*)'$/.exec(String(message))?.[1]
      const place = placeOf(String(path ?? ''), missing)
      const words = missing === undefined ? String(message) : requiredMessage
      const key = JSON.stringify([place, words])
      if (shown.has(key)) continue
      shown.add(key)
      for (const form of this.forms) if (form.complain(place, words)) break
    }
  }
}

/** The violations in a response that is a problem, over any protocol. */
export function violationsOf(json: unknown): Wrong {
  const problem = problemOf(json)
  if (isSchema(problem) && Array.isArray(problem.errors)) return problem.errors
  return isToolError(json) && Array.isArray(json.result.content) ? json.result.content.flatMap(linesOf) : []
}

/** The lines of a tool's text that name a value: older revisions of MCP have no other problem. */
function linesOf(content: unknown): Wrong {
  const lines = isSchema(content) ? String(content.text).split('\n') : []
  return lines.flatMap((line) => {
    const [, path, message] = /^(\/\S*) (.+)$/.exec(line) ?? []
    return path === undefined ? [] : [{ path, message }]
  })
}

/** What a response holds if it is a problem: the body, the data of an error, or the content of a tool's error. */
export function problemOf(json: unknown): unknown {
  if (!isSchema(json)) return undefined
  if (isSchema(json.error) && 'data' in json.error) return json.error.data
  return isToolError(json) ? json.result.structuredContent : json
}

/** Whether a tool has failed (MCP 2026-07-28, `CallToolResult`). */
export function isToolError(json: unknown): json is { readonly result: Schema } {
  return isSchema(json) && isSchema(json.result) && json.result.isError === true
}

/** The tokens of a JSON pointer (RFC 6901), plus the missing member's name, if one is missing. */
function placeOf(pointer: string, missing: string | undefined): readonly string[] {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return missing === undefined || steps.at(-1) === missing ? steps : [...steps, missing]
}
