import type { Contract } from './contract/contract.js'
import { ProblemError } from './contract/problem.js'
import { type ResponseHeader, responseHeader, type Sunset } from './http/version-headers.js'

/** How a version ends. */
export interface VersionEnd {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** What each call fails with from then on. */
  readonly refusal: ProblemError<'version_sunset'>
  /** What responses say of it before and after (RFC 8594, RFC 9745). */
  readonly headers: readonly ResponseHeader[]
}

/**
 * @param names all versions, from the oldest to the newest
 * @throws Error for a day that does not exist, and for a successor that is not a later version
 */
export function versionEnd(
  name: string,
  names: readonly string[],
  { day, deprecated, successor = successorOf(name, names) }: Sunset,
): VersionEnd {
  const at = dayOf(day, name)
  const place = successor === undefined ? -1 : names.indexOf(successor)
  if (place !== -1 && place <= names.indexOf(name))
    throw new Error(`The successor of version ${name} is ${successor}. Name a version after it, or none.`)
  const headers = [
    ...(deprecated === undefined
      ? []
      : [responseHeader('Deprecation', `@${dayOf(deprecated, name) / 1000}`)]),
    responseHeader('Sunset', new Date(at).toUTCString()),
    ...(successor === undefined ? [] : [responseHeader('API-Successor-Version', successor)]),
  ]
  const instead = successor === undefined ? '' : ` Use version ${successor}.`
  const refusal = new ProblemError('version_sunset', {
    detail: `Version ${name} is no longer served since ${day}.${instead}`,
    members: { sunset: day, successor },
  })
  return { at, refusal, headers }
}

/** The newest release after a version. Callers move to a prerelease only if there is no other. */
function successorOf(name: string, names: readonly string[]): string | undefined {
  const later = names.slice(names.indexOf(name) + 1)
  return later.findLast((one) => !isPrerelease(one)) ?? later.at(-1)
}

/** Build metadata may contain hyphens (Semantic Versioning 2.0.0, items 9 and 10). */
export function isPrerelease(version: string): boolean {
  return version.split('+', 1)[0]?.includes('-') === true
}

/** `rpc.discover` says when the version ends. */
export function withSunset(contract: Contract, sunsets: Readonly<Record<string, Sunset>>): Contract {
  const { version, openrpc } = contract
  const sunset = Object.hasOwn(sunsets, version) ? sunsets[version] : undefined
  if (sunset === undefined) return contract
  const withDay = () => {
    const document = openrpc() as { readonly info?: object }
    return { ...document, info: { ...document.info, 'x-sunset': sunset.day } }
  }
  return { ...contract, openrpc: withDay }
}

/** Milliseconds since the epoch. */
function dayOf(text: string, version: string): number {
  const day = Date.parse(text)
  if (!Number.isNaN(day) && new Date(day).toISOString().slice(0, 10) === text) return day
  throw new Error(
    `The sunset of version ${version} has the day ${JSON.stringify(text)}, which is not like 2027-06-30`,
  )
}
