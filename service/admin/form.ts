import type { IncomingMessage } from 'node:http'
import { closeGently } from 'duet-runtime'
import { problem } from '../problem.js'

/**
 * Whether a request that changes something comes from a page of this origin. Browsers say so in Sec-Fetch-Site (Fetch
 * Metadata, section 2.3), where they trust the connection, and in Origin with every POST. Whoever says neither is
 * no browser that a page could have sent.
 */
export function isSameOrigin({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin, host } = headers
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()
}

/**
 * The fields of a form that was sent.
 * @throws ProblemError `unsupported_media_type`, `payload_too_large`
 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') {
    throw problem('unsupported_media_type', {
      detail: 'A form is application/x-www-form-urlencoded.',
    })
  }
  const chunks: Buffer[] = []
  let length = 0
  // Who sends too much is answered all the same, and reads it: the connection may not be reset.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > mostBytes) {
      closeGently(request.socket)
      throw problem('payload_too_large', { detail: 'A form may have 64 KiB. Nothing was changed.' })
    }
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
}

const mostBytes = 65_536

/** A path of the administration area on this host, from what anybody may have written; else its first page. */
export function localPath(text: string | null): string {
  const home = '/admin/'
  if (text === null || !text.startsWith(home) || !URL.canParse(text, base)) return home
  const { origin, pathname, search } = new URL(text, base)
  const path = pathname + search
  return origin === base && pathname.startsWith(home) && path.length <= longestPath ? path : home
}

const base = 'http://local.invalid'

/** No page has a longer path; headers and pages repeat it to anybody. */
const longestPath = 1_000

/** What is wrong with each field, by its name. */
export type Faults = Readonly<Record<string, string>>

/** A field as its template shows it. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly value?: string
  readonly hint?: string
  readonly fault?: string
  /** What is stored now, where somebody changed it meanwhile. */
  readonly stored?: string
}

/** Fields with what is wrong with them, the first wrong one to be begun with. */
export function withFaults<Fields extends Readonly<Record<string, object>>>(
  fields: Fields,
  faults: Faults,
): { [Name in keyof Fields]: Fields[Name] & Pick<Field, 'name' | 'fault'> } {
  const first = Object.keys(fields).find((name) => Object.hasOwn(faults, name))
  const entries = Object.entries(fields).map(([name, field]) => [
    name,
    {
      name,
      ...field,
      ...(Object.hasOwn(faults, name) && { fault: faults[name] }),
      isFirst: name === first,
    },
  ])
  return Object.fromEntries(entries)
}
