import { METHODS } from 'node:http'
import FindMyWay, { type HTTPMethod } from 'find-my-way'
import type { Method } from '../../contract/operation.js'
import {
  escaped,
  isParameter,
  literalText,
  type PathValues,
  partsOf,
  valueBefore,
} from '../style/path-template.js'

export interface Match<Target> {
  readonly target: Target
  readonly values: PathValues
}

/** Finds what a method and a URL lead to, by OpenAPI path templates. Literal segments win over parameters. */
export class Router<Target> {
  readonly #tree = FindMyWay({
    querystringParser: () => '',
    maxParamLength: MAX_VALUE,
    // The regular expressions of mixed segments are this file's own, and no document's text is in them unescaped.
    allowUnsafeRegex: true,
  })
  readonly #methods = new Set<Method>()

  /**
   * Throws an Error where a method has two templates that match the same paths, unless fixed query
   * parameters tell them apart. A method that Node's parser lets no request have is left out.
   */
  constructor(routes: readonly Entry<Target>[]) {
    const shared = new Map<string, Candidate<Target>[]>()
    for (const { method, path, query = {}, target } of routes) {
      if (!METHODS.includes(method)) continue
      this.#methods.add(method)
      const pattern = patternOf(path)
      const key = `${method} ${pattern}`
      const fixed = Object.entries(query)
      const others = shared.get(key)
      const isAlike = others?.some((other) => JSON.stringify(other.fixed) === JSON.stringify(fixed))
      if (others !== undefined && isAlike === false) {
        others.push({ fixed, target })
        others.sort((a, b) => b.fixed.length - a.fixed.length)
        continue
      }
      const candidates = [{ fixed, target }]
      shared.set(key, candidates)
      this.#tree.on(method as HTTPMethod, pattern, unused, candidates)
    }
  }

  /**
   * The match of a method, for HEAD that of GET where nothing stands at HEAD itself. An empty segment is no
   * value: `/clients/` is not `/clients/{id}`.
   */
  find(method: string, url: string): Match<Target> | undefined {
    const found = this.#match(method, url)
    return found === undefined && method === 'HEAD' ? this.#match('GET', url) : found
  }

  /** Methods that the URL's path knows, sorted as `Allow` names them; empty for an unknown path. */
  allowed(url: string): readonly string[] {
    const known: string[] = [...this.#methods].filter((method) => this.#match(method, url) !== undefined)
    if (known.includes('GET') && !known.includes('HEAD')) known.push('HEAD')
    return known.sort()
  }

  #match(method: string, url: string): Match<Target> | undefined {
    const found = this.#tree.find(method as HTTPMethod, url)
    if (found === null) return undefined
    const candidates: readonly Candidate<Target>[] = found.store
    const candidate = candidates.length === 1 ? candidates[0] : chosen(candidates, url)
    if (candidate === undefined) return undefined
    const values: PathValues = found.params
    for (const name in values) if (values[name] === '') return undefined
    return { target: candidate.target, values }
  }
}

interface Entry<Target> {
  readonly method: Method
  readonly path: string
  /** Query parameters that tell the route from others at its path. */
  readonly query?: Readonly<Record<string, string>> | undefined
  readonly target: Target
}

interface Candidate<Target> {
  readonly fixed: readonly (readonly [name: string, value: string])[]
  readonly target: Target
}

/** The first whose fixed query parameters the URL has; those that ask for more come first. */
function chosen<Target>(
  candidates: readonly Candidate<Target>[],
  url: string,
): Candidate<Target> | undefined {
  const mark = url.indexOf('?')
  const query = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1))
  return candidates.find(({ fixed }) => fixed.every(([name, value]) => query.get(name) === value))
}

/** As long as a request line can be (Node's limit of 16 KiB for all headers). */
const MAX_VALUE = 16_384

/** The tree asks for a handler, and is never asked to call it. */
function unused(): void {}

/**
 * A path template in find-my-way's notation. Parameters are numbered, so that templates with differently
 * named ones can share a tree. A segment that mixes text and parameters becomes a regular expression, as
 * does one with a `*`, which has no escape.
 */
function patternOf(template: string): string {
  let count = 0
  const segmentOf = (segment: string): string => {
    const parts = partsOf(segment)
    if (parts.length === 1 && isParameter(segment)) return `:p${count++}`
    return parts
      .map((part, i) =>
        isParameter(part) ? `:p${count++}${valueBefore(parts.slice(i + 1))}` : literal(part),
      )
      .join('')
  }
  return template.split('/').map(segmentOf).join('/')
}

/** Template text is matched against decoded paths; a colon doubles as find-my-way's escape. */
function literal(part: string): string {
  const text = literalText(part)
  if (text.includes('*')) return `:literal(${escaped(text)})`
  return text.replaceAll(':', '::')
}
