import type { BuiltInErrorCode } from './contract/catalogue.js'
import type { Contract } from './contract/contract.js'
import type { HttpRequest } from './contract/http-request.js'
import { loggerOf } from './contract/logger.js'
import { ProblemError } from './contract/problem.js'
import { type Chosen as ChosenOf, mcpFaces, versionFaces } from './faces.js'
import { responseHeader, type Sunset, type VersionChoice } from './http/version-headers.js'
import { behindFirst, firstSegment, looksLikeVersion, mayBeVersion } from './http/version-path.js'
import { type ChosenVersion, ServedVersion } from './served-version.js'
import { type Adapter, adaptedHandlers, handlerOrigins } from './server/adapter.js'
import type { Api, CallOptions, Counting, Faces } from './server/api/api.js'
import type { ApiOptions } from './server/api/options.js'
import { adaptedErrors, ownErrors } from './server/outcome/adapted-errors.js'
import { shadowOf, type VersionsShadow } from './shadow/versions-shadow.js'
import { type Eventual, whenKnown } from './values/eventual.js'
import { isPrerelease, type VersionEnd, versionEnd, withSunset } from './version-end.js'
import { newestOf, versionsText } from './version-order.js'

/** A generated version: the module of its package. */
export interface VersionModule {
  readonly contract: Contract
}

export type VersionsOptions<Handlers, Principal> = Omit<
  ApiOptions<Handlers, Principal>,
  'basePath' | 'openrpc' | 'shadow'
> &
  VersionOptions<Principal>

interface VersionOptions<Principal> {
  /** Every version to serve, from the oldest to the newest. The handlers are those of the newest. */
  readonly versions: readonly VersionModule[]
  /** By the older version of each pair of neighbours, how the next one serves it. */
  readonly adapters: Readonly<Record<string, Adapter>>
  /** The version of requests that choose none. Default: the newest. */
  readonly defaultVersion?: string
  /**
   * Whether a path may begin with a version: `/1.1.0/clients`, or `/v1/clients` for the newest of a major. Default:
   * true. Turn it off if the api's own paths begin with a parameter.
   */
  readonly versionInPath?: boolean
  /** The request header that may choose a version. Default: `API-Version`. False: none. */
  readonly versionHeader?: string | false
  /**
   * The version of a principal whose requests choose none: as of the day it signed up, for example. Undefined: the
   * default. Asks `authenticate` once more for each request.
   */
  readonly versionOf?: (principal: Principal) => string | undefined
  /** Versions that end, or have ended: from that day on, calls fail with `version_sunset` (410). */
  readonly sunsets?: Readonly<Record<string, Sunset>>
  /**
   * Counts who calls which version, and tries the calls of each on the next one once they are answered. Default: none,
   * at no cost.
   */
  readonly shadow?: VersionsShadow<Principal>
}

interface VersionTarget {
  readonly version: string
  readonly url: string
  /** Why calls of this request fail: it chooses a version that does not exist, or two. */
  readonly refusal?: ProblemError<BuiltInErrorCode>
}

/** Several versions of an api, served by the handlers of the newest. */
export interface Versions<Principal> extends Faces, Counting {
  /**
   * MCP alone, wherever it is mounted, in the version that a request chooses. A version without tools has none: 404.
   *
   * @throws Error if no version has a tool
   */
  mcp(): Faces
  /** Names of the versions, from the oldest to the newest. */
  readonly names: readonly string[]
  /**
   * One version for in-process calls: `versions.api<v1_1.OperationTypes>('1.1.0').call('clients.get', { id: 7 })`.
   *
   * @throws Error for a version that is not served
   */
  api<Types>(version: string): Pick<Api<Types, Principal>, 'call'>
  /**
   * The version that the path or the header of a request chooses, and its target without the version: for pages next
   * to the api.
   */
  targetOf(request: HttpRequest): VersionTarget
}

/**
 * Serves several versions of an api with the handlers of the newest.
 *
 * @throws Error for an invalid setup: as `createApi` does, for an operation that neither the next version nor an
 *   adapter serves, and for unknown versions
 */
export function createVersions<Handlers, Principal = unknown>(
  options: VersionsOptions<Handlers, Principal>,
): Versions<Principal> {
  const served = new ServedVersions(options as VersionsOptions<unknown, Principal>)
  const choice = (request: HttpRequest) => served.chosen(request)
  return {
    ...versionFaces(choice),
    mcp: () => mcpFaces(served.all, choice),
    names: served.names,
    flushUsage: () => served.flushUsage(),
    targetOf: (request) => served.targetOf(request),
    api: <Types>(name: string) => ({
      call: ((operation: string, params: unknown, callOptions: CallOptions<Principal> = {}) =>
        served.version(name).call(operation, params, callOptions)) as Api<Types, Principal>['call'],
    }),
  }
}

/** What a request names. */
interface Named {
  readonly text: string
  /** The versions that the text may mean, the newest last. */
  readonly names: readonly string[]
}

/** The versions of both lists. A list that is undefined leaves all. */
function common(
  some: readonly string[] | undefined,
  others: readonly string[] | undefined,
): readonly string[] | undefined {
  return some === undefined || others === undefined
    ? (some ?? others)
    : some.filter((name) => others.includes(name))
}

type Chosen<Principal> = Required<ChosenOf<Principal>> & { readonly chosen: ChosenVersion }

interface Entry<Principal> {
  readonly version: ServedVersion<Principal>
  readonly choice: VersionChoice
  /** Undefined: the version does not end. */
  readonly end: VersionEnd | undefined
}

class ServedVersions<Principal> {
  readonly names: readonly string[]
  readonly #entries: ReadonlyMap<string, Entry<Principal>>
  readonly #options: VersionsOptions<unknown, Principal>
  readonly #default: string
  /** In lower case; undefined: no header chooses. */
  readonly #header: string | undefined

  constructor(options: VersionsOptions<unknown, Principal>) {
    const { versions, adapters, defaultVersion, versionHeader = usualHeader, sunsets = {} } = options
    this.names = versions.map(({ contract }) => contract.version)
    const newest = newestOf(this.names, adapters)
    this.#options = options
    this.#default = defaultVersion ?? newest
    this.#header = versionHeader === false ? undefined : versionHeader.toLowerCase()
    const served = servedVersions(options)
    this.#entries = new Map(Array.from(served, ([name, version]) => [name, this.#entryOf(name, version)]))
    for (const name of [this.#default, ...Object.keys(sunsets)]) this.version(name)
  }

  get all(): readonly ServedVersion<Principal>[] {
    return Array.from(this.#entries.values(), ({ version }) => version)
  }

  async flushUsage(): Promise<void> {
    await Promise.all(this.all.map((version) => version.flushUsage()))
  }

  version(name: string): ServedVersion<Principal> {
    return this.#entry(name).version
  }

  #entry(name: string): Entry<Principal> {
    const entry = this.#entries.get(name)
    if (entry === undefined) throw new Error(`There is no version ${name}. ${this.#list()}`)
    return entry
  }

  targetOf(request: HttpRequest): VersionTarget {
    const { url: target = '' } = request
    const { chosen } = this.#named(request, target) ?? this.#without(request, target, undefined)
    const { version, refusal } = chosen.choice
    // Pages about a version stay when its calls end.
    const isOver = refusal !== undefined && refusal === this.#entry(version).end?.refusal
    return { version, url: chosen.url, ...(refusal !== undefined && !isOver && { refusal }) }
  }

  /** The version for a request: by its path, its header, its principal, or the default. */
  chosen(request: HttpRequest): Eventual<Chosen<Principal>> {
    const { url = '' } = request
    const named = this.#named(request, url)
    if (named !== undefined) return named
    if (this.#options.versionOf === undefined) return this.#without(request, url, undefined)
    const failed = (cause: unknown) =>
      this.#refused(this.#default, url, new ProblemError('internal_error', { cause }))
    try {
      const chosen = whenKnown(this.version(this.#default).principalOf(request), (principal) =>
        this.#without(request, url, this.#pinned(principal)),
      )
      return chosen instanceof Promise ? chosen.catch(failed) : chosen
    } catch (error) {
      return failed(error)
    }
  }

  /** The version of a principal; one that does not exist is the service's own fault, so it is logged. */
  #pinned(principal: Principal | undefined): string | undefined {
    const { versionOf, logger } = this.#options
    const own = principal === undefined ? undefined : (versionOf?.(principal) ?? undefined)
    if (own === undefined) return undefined
    const text = String(own)
    if (this.#matching(text).length === 0)
      loggerOf(logger)?.error({}, `versionOf answered ${JSON.stringify(text)}. ${this.#list()}`)
    return text
  }

  /** The version that a path or a header names. Undefined: neither does. */
  #named(request: HttpRequest, url: string): Chosen<Principal> | undefined {
    const inPath = this.#inPath(request, url)
    const inHeader = this.#inHeader(request)
    const names = common(inPath?.names, inHeader?.names)
    const name = names?.at(-1)
    if (name !== undefined && inPath === undefined) return this.#ofPath(name, request, url)
    if (name !== undefined) return this.#of(name, inPath?.url ?? url)
    if (inHeader?.names.length === 0) return this.#refused(this.#default, url, this.#unknown(inHeader.text))
    if (inPath === undefined || inHeader === undefined) return undefined
    const detail = `The path chooses version ${inPath.text}, the header ${inHeader.text}.`
    return this.#refused(inPath.names.at(-1), inPath.url, new ProblemError('invalid_request', { detail }))
  }

  /** The version for a request that chooses none. */
  #without(request: HttpRequest, url: string, own = this.#default): Chosen<Principal> {
    const name = this.#matching(own).at(-1)
    if (name === undefined) return this.#refused(this.#default, url, this.#unknown(own))
    const version = this.version(name)
    // Versions may have base paths of their own, such as /v1 and /v2.
    const below = version.isBelow(request, url)
      ? name
      : this.names.findLast((each) => this.version(each).isBelow(request, url))
    return this.#ofPath(below ?? name, request, url)
  }

  /** A version, unless the path begins with one that does not exist. Its protocols answer at what is behind that. */
  #ofPath(name: string, request: HttpRequest, url: string): Chosen<Principal> {
    const isNamed = this.#options.versionInPath !== false && mayBeVersion(url)
    const text = isNamed ? firstSegment(url) : ''
    if (!looksLikeVersion.test(text) || this.version(name).hasAddress(request, url))
      return this.#of(name, url)
    return this.#refused(name, behindFirst(url, text), this.#unknown(text))
  }

  #of(name: string, url: string): Chosen<Principal> {
    const { version, choice, end } = this.#entry(name)
    const isOver = end !== undefined && Date.now() >= end.at
    return { version, chosen: { url, choice: isOver ? { ...choice, refusal: end.refusal } : choice } }
  }

  #refused(
    name: string | undefined,
    url: string,
    refusal: ProblemError<BuiltInErrorCode>,
  ): Chosen<Principal> {
    const { version, choice } = this.#entry(name ?? this.#default)
    return { version, chosen: { url, choice: { ...choice, refusal } } }
  }

  /** The versions that a path begins with, and the target behind. A base path may be a version too: /v1. */
  #inPath(request: HttpRequest, url: string): (Named & { readonly url: string }) | undefined {
    if (this.#options.versionInPath === false || !mayBeVersion(url)) return undefined
    const text = firstSegment(url)
    const names = this.#matching(text)
    if (names.length === 0) return undefined
    const ofBase = names.filter((name) => this.version(name).hasBase(request, url))
    if (ofBase.length > 0) return { names: ofBase, text, url }
    return { names, text, url: behindFirst(url, text) }
  }

  #inHeader({ headers }: HttpRequest): Named | undefined {
    const header = this.#header === undefined ? undefined : headers[this.#header]
    return header === undefined || header === ''
      ? undefined
      : { names: this.#matching(String(header)), text: String(header) }
  }

  /** The version with this name, or the releases that begin with it: `1.1.0`, `1.1`, `v1`. */
  #matching(text: string): readonly string[] {
    const short = /^v/i.test(text) ? text.slice(1) : text
    const exact = [text, short].find((name) => this.#entries.has(name))
    if (exact !== undefined) return [exact]
    if (!/^\d+(\.\d+)?$/.test(short)) return []
    return this.names.filter((name) => name.startsWith(`${short}.`) && !isPrerelease(name))
  }

  #entryOf(name: string, version: ServedVersion<Principal>): Entry<Principal> {
    const { versionHeader = usualHeader, sunsets = {} } = this.#options
    const varies = versionHeader || undefined
    const own = responseHeader(varies ?? usualHeader, name)
    const sunset = Object.hasOwn(sunsets, name) ? sunsets[name] : undefined
    const end = sunset && versionEnd(name, this.names, sunset)
    return { version, choice: { version: name, headers: [own, ...(end?.headers ?? [])], varies }, end }
  }

  #unknown(text: string): ProblemError<BuiltInErrorCode> {
    return new ProblemError('unknown_operation', { detail: `There is no version ${text}. ${this.#list()}` })
  }

  #list(): string {
    return versionsText(this.names)
  }
}

const usualHeader = 'API-Version'

/** The newest version with the given handlers, and each older one with those of its adapter. */
function servedVersions<Principal>({
  versions,
  adapters,
  handlers,
  defaultVersion: _default,
  versionInPath: _path,
  versionHeader: _header,
  versionOf: _of,
  sunsets = {},
  shadow,
  ...options
}: VersionsOptions<unknown, Principal>): ReadonlyMap<string, ServedVersion<Principal>> {
  const served = new Map<string, ServedVersion<Principal>>()
  const { errors: mapping } = options
  let errors = mapping && ownErrors(mapping)
  let next: { readonly contract: Contract; readonly version: ServedVersion<Principal> } | undefined
  for (const { contract } of [...versions].reverse()) {
    const adapter = (Object.hasOwn(adapters, contract.version) && adapters[contract.version]) || {}
    const pair = next && { older: contract, next: next.contract, procedures: next.version.procedures }
    if (next !== undefined && mapping !== undefined && errors !== undefined)
      errors = adaptedErrors(next.contract, adapter, mapping, errors)
    const version = new ServedVersion<Principal>(
      withSunset(contract, sunsets),
      {
        ...options,
        ...(errors !== undefined && { errors: errors.mapping }),
        handlers: pair === undefined ? handlers : adaptedHandlers(pair, adapter),
        ...(shadow !== undefined && { shadow: shadowOf(shadow, contract, next?.contract) }),
      } as ApiOptions<unknown, Principal>,
      pair && handlerOrigins(pair, adapter),
    )
    served.set(contract.version, version)
    next = { contract, version }
  }
  return served
}
