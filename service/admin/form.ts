import type { IncomingMessage } from 'node:http'
import { closeGently } from 'duet-runtime'
import { problem } from '../problem.js'

/**
 * Whether a request that changes something comes from a page of this origin. Browsers say so in Sec-Fetch-Site (Fetch
 * Metadata, section 2.3) over trusted connections, and in Origin with every POST. A client that sends neither is no
 * browser, so no foreign page controls it.
 */
export function isSameOrigin({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin, host } = headers
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()
}

/**
 * Reads the fields of a form.
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
  // A client that sends too much gets an answer, which a reset of the connection would destroy.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > mostBytes) {
      closeGently(request.socket)
      throw problem('payload_too_large', { detail: 'A form may have at most 64 KiB. Nothing was changed.' })
    }
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
}

const mostBytes = 65_536

/** A path of the administration area from untrusted text. The first page if the text is no such path. */
export function localPath(text: string | null): string {
  const home = '/admin/'
  if (text === null || !text.startsWith(home) || !URL.canParse(text, base)) return home
  const { origin, pathname, search } = new URL(text, base)
  const path = pathname + search
  return origin === base && pathname.startsWith(home) && path.length <= longestPath ? path : home
}

const base = 'http://local.invalid'

/** No page has a longer path. The bound matters since headers and pages repeat the text. */
const longestPath = 1_000

/** Faults by field name. */
export type Faults = Readonly<Record<string, string>>

/** A field as its template shows it. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly value?: string
  readonly hint?: string
  readonly fault?: string
  /** The stored value, if another user has changed it meanwhile. */
  readonly stored?: string
}

/** Adds the faults to the fields. The first faulty field gets the focus. */
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
