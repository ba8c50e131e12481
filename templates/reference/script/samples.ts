import type { SecurityRequirement, SecurityScheme } from 'duet-runtime'
import type { JsonObject } from '../../../generator/document/document.js'
import { samplesOf } from '../../../generator/reference/samples/samples.js'
import { requestOf } from '../../../generator/samples/sent-request.js'
import { highlight } from './highlight.js'
import type { Settings, Tried } from './page.js'
import { asJson, toolMessageOf } from './request.js'

/**
 * Writes the samples of a card, of the call that Send makes.
 *
 * @param params undefined: the form holds a value that cannot be sent
 * @param requirement the credentials that Send has. Undefined: it has none, and samples show which are possible.
 */
export type WriteSamples = (
  params: Readonly<Record<string, unknown>> | undefined,
  requirement: SecurityRequirement | undefined,
) => Promise<void>

/** The samples of a card, written by the code that wrote them into the page. */
export function samplesIn(card: ParentNode, tried: Tried, settings: Settings): WriteSamples {
  const { operation, tool, unrouted } = tried
  const blocks = [...card.querySelectorAll<HTMLElement>('.block[data-sample]')]
  const service = {
    basePath: settings.basePath,
    rpcPath: settings.rpcPath ?? '/',
    securitySchemes: new Map(Object.entries(settings.securitySchemes) as [string, SecurityScheme][]),
  }
  let latest = 0
  return async (params, requirement) => {
    latest += 1
    const mine = latest
    const request =
      unrouted || params === undefined ? undefined : await requestOf(operation, params).catch(() => undefined)
    const isShort = hasShortFiles(params)
    // A sample over REST names its files, and has no other params.
    const shown = params && ((await asJson(isShort ? params : {})) as JsonObject)
    // A reader may have typed on meanwhile.
    if (mine !== latest) return
    const secured = requirement === undefined ? operation : { ...operation, security: [requirement] }
    const isReadable = isExact(shown)
    const samples =
      shown !== undefined && isReadable
        ? samplesOf(service, secured, shown, request, tool && toolMessageOf(tool, shown), settings.module)
        : undefined
    for (const block of blocks) {
      // Each begins with its own protocol and language, before those for which it is shown instead.
      const [[over = ''], [language]] = [split(block.dataset.over), split(block.dataset.sample)]
      const sample = samples?.find(({ id }) => id === language)
      const isShown = over === 'rest' || ((over === 'jsonrpc' || over === 'mcp') && isShort)
      const text = isShown ? sample?.[over] : undefined
      const code = block.querySelector<HTMLElement>('pre code')
      const written = text ?? (isReadable ? noSample : noLongSample)
      if (code === null || code.textContent === written) continue
      code.textContent = written
      highlight(code)
    }
  }
}

const noSample = 'No sample can show these values.'
const noLongSample =
  'Samples show no integers beyond ±(2^53 - 1), which many programs round. Send sends all digits.'

function split(names: string | undefined): string[] {
  return (names ?? '').split(' ')
}

/** Whether the base64 of each file can be read in a sample. */
function hasShortFiles(value: unknown): boolean {
  if (value instanceof Blob) return value.size <= 10_000
  return typeof value !== 'object' || value === null || Object.values(value).every(hasShortFiles)
}

/** Whether programs can read all of its numbers: not integers that no double holds. */
function isExact(value: unknown): boolean {
  if (typeof value === 'bigint') return false
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact)
}
