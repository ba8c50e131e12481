import type { SecurityScheme } from 'duet-runtime'
import type { JsonObject } from '../../../generator/document/document.js'
import { samplesOf } from '../../../generator/reference/samples/samples.js'
import { requestOf } from '../../../generator/samples/sent-request.js'
import { isSchema } from './editor/editor-part.js'
import { highlight } from './highlight.js'
import type { Settings, Tried } from './page.js'
import { toolMessageOf } from './request.js'

/** Writes the samples of a card with other params. Undefined: the form holds a value that cannot be sent. */
export type WriteSamples = (params: Readonly<Record<string, unknown>> | undefined) => Promise<void>

/** The samples of a card, written by the code that wrote them into the page. */
export function samplesIn(card: ParentNode, tried: Tried, settings: Settings): WriteSamples {
  const { operation, tool, unrouted } = tried
  const blocks = [...card.querySelectorAll<HTMLElement>('.block[data-sample]')]
  const model = {
    basePath: settings.basePath,
    rpcPath: settings.rpcPath ?? '/',
    securitySchemes: new Map(Object.entries(settings.securitySchemes) as [string, SecurityScheme][]),
  }
  let latest = 0
  return async (params) => {
    latest += 1
    const mine = latest
    const request =
      unrouted || params === undefined ? undefined : await requestOf(operation, params).catch(() => undefined)
    // A reader may have typed on meanwhile.
    if (mine !== latest) return
    const shown = params && shownIn(params)
    const samples =
      shown !== undefined && isExact(shown)
        ? samplesOf(model, operation, shown, request, tool && toolMessageOf(tool, shown), settings.module)
        : undefined
    for (const block of blocks) {
      // Each begins with its own protocol and language, before those for which it is shown instead.
      const [[over = ''], [language]] = [split(block.dataset.over), split(block.dataset.sample)]
      const sample = samples?.find(({ id }) => id === language)
      const text = over === 'rest' || over === 'jsonrpc' || over === 'mcp' ? sample?.[over] : undefined
      const code = block.querySelector<HTMLElement>('pre code')
      if (code === null) continue
      code.textContent = text ?? 'No sample can show these values.'
      highlight(code)
    }
  }
}

function split(names: string | undefined): string[] {
  return (names ?? '').split(' ')
}

/** The params as JSON: a file is the text that stands for any. */
function shownIn(params: Readonly<Record<string, unknown>>): JsonObject {
  const shown = (value: unknown): unknown => {
    if (value instanceof Blob) return 'bW9jaw=='
    if (Array.isArray(value)) return value.map(shown)
    if (!isSchema(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shown(member)]))
  }
  return shown(params) as JsonObject
}

/** Whether programs can read all of its numbers: not integers that no double holds. */
function isExact(value: unknown): boolean {
  if (typeof value === 'bigint') return false
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact)
}
