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

/**
 * Finds the target of a method and URL, by OpenAPI path templates. Literal segments take precedence over
 * parameters.
 */
export class Router<Target> {
  readonly #tree = FindMyWay({
    querystringParser: () => '',
    maxParamLength: MAX_VALUE,
    // This file builds the regular expressions of mixed segments, and escapes the document's text in them.
    allowUnsafeRegex: true,
  })
  readonly #methods = new Set<Method>()

  /**
   * Throws an Error if a method has two templates that match the same paths, unless fixed query parameters
   * distinguish them. Omits methods that Node's parser does not accept.
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
   * The match of a method; HEAD falls back to GET. A parameter does not match an empty segment: `/clients/`
   * is not `/clients/{id}`.
   */
  find(method: string, url: string): Match<Target> | undefined {
    const found = this.#match(method, url)
    return found === undefined && method === 'HEAD' ? this.#match('GET', url) : found
  }

  /** The methods of the URL's path, sorted as in `Allow`; empty for an unknown path. */
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
  /** Query parameters that select this route among those with its path. */
  readonly query?: Readonly<Record<string, string>> | undefined
  readonly target: Target
}

interface Candidate<Target> {
  readonly fixed: readonly (readonly [name: string, value: string])[]
  readonly target: Target
}

/** The first candidate whose fixed query parameters the URL has; candidates with more of them come first. */
function chosen<Target>(
  candidates: readonly Candidate<Target>[],
  url: string,
): Candidate<Target> | undefined {
  const mark = url.indexOf('?')
  const query = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1))
  return candidates.find(({ fixed }) => fixed.every(([name, value]) => query.get(name) === value))
}

/** The longest request line (Node's limit of 16 KiB for all headers). */
const MAX_VALUE = 16_384

/** find-my-way requires a handler, but nothing calls it. */
function unused(): void {}

/**
 * A path template in find-my-way's notation. Parameters are numbered, so that templates with different names
 * can share a tree. A segment that mixes text and parameters becomes a regular expression, and so does one
 * with a `*`, which has no escape.
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

/** find-my-way matches template text with decoded paths, and a doubled colon is its escape. */
function literal(part: string): string {
  const text = literalText(part)
  if (text.includes('*')) return `:literal(${escaped(text)})`
  return text.replaceAll(':', '::')
}
