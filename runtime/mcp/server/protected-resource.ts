import type { Contract } from '../../contract/contract.js'
import type { HttpRequest } from '../../contract/http-request.js'
import { pathOf } from '../../http/target.js'
import type { McpOptions } from '../../server/api/options.js'
import type { Procedure } from '../../server/procedure.js'

/** The api as a protected resource of OAuth 2 (RFC 9728): where clients of MCP get tokens. */
export class ProtectedResource {
  readonly #contract: Contract
  readonly #names: ReadonlySet<string>
  readonly #scopes: readonly string[]
  readonly #options: McpOptions

  /** @param procedures those of the tools */
  constructor(contract: Contract, procedures: Iterable<Procedure>, options: McpOptions) {
    const { securitySchemes } = contract
    const isOfTokens = (type: string): boolean => type === 'oauth2' || type === 'openIdConnect'
    const found = Object.entries(securitySchemes).filter(([, { type }]) => isOfTokens(type))
    this.#contract = contract
    this.#options = options
    this.#names = new Set(found.map(([name]) => name))
    const scopes = Array.from(procedures, ({ operation }) =>
      operation.security.flatMap((each) => [...this.#names].flatMap((name) => each[name] ?? [])),
    )
    this.#scopes = [...new Set(scopes.flat())].sort()
  }

  /** Whether a request is for the metadata. False if the document has neither OAuth 2 nor OpenID Connect. */
  isMetadata(request: HttpRequest): boolean {
    if (this.#names.size === 0) return false
    const path = pathOf(targetOf(request))
    return path === WELL_KNOWN || path.startsWith(`${WELL_KNOWN}/`)
  }

  /**
   * The metadata, as JSON, of the address that a request names behind the well-known path (RFC 9728, section 3.1), or of MCP's.
   *
   * @param path of MCP
   */
  metadata(request: HttpRequest, path: string): string {
    const named = pathOf(targetOf(request)).slice(WELL_KNOWN.length)
    const { authorizationServers: stated } = this.#options
    const servers = stated ?? authorizationServersOf(this.#contract.mcp?.())
    return JSON.stringify({
      resource: this.#address(request, named === '' ? path : named),
      resource_name: this.#contract.title,
      ...(servers.length > 0 && { authorization_servers: servers }),
      ...(this.#scopes.length > 0 && { scopes_supported: this.#scopes }),
      bearer_methods_supported: ['header'],
    })
  }

  /** The challenge of a 401, with the address of the metadata (RFC 9728, section 5.1). */
  challenge(challenge: string | undefined, request: HttpRequest): string | undefined {
    if (this.#names.size === 0) return challenge
    const own = this.#options.url
    const at = own === undefined ? pathOf(targetOf(request)) : new URL(own).pathname
    const address = this.#address(request, WELL_KNOWN + (at === '/' ? '' : at))
    if (address === undefined) return challenge
    const parameter = `resource_metadata="${address}"`
    const bearer = /(^|, )Bearer( [^,]*)?/i.exec(challenge ?? '')
    if (challenge === undefined || bearer === null)
      return [`Bearer ${parameter}`, ...(challenge === undefined ? [] : [challenge])].join(', ')
    const end = bearer.index + bearer[0].length
    const separator = bearer[2] === undefined ? ' ' : ', '
    return `${challenge.slice(0, end)}${separator}${parameter}${challenge.slice(end)}`
  }

  /** A path as an absolute URL. Undefined if the request names no valid host. */
  #address(request: HttpRequest, path: string): string | undefined {
    const { url = originOf(request) } = this.#options
    if (url === undefined || !URL.canParse(url)) return undefined
    const address = new URL(url)
    // The text of a path, whatever it begins with.
    address.pathname = path
    return address.href
  }
}

/** The origin that a request was sent to. Behind a proxy, `X-Forwarded-Proto` gives its scheme. */
function originOf(request: HttpRequest): string | undefined {
  const { headers, socket } = request
  const host = headers.host ?? Reflect.get(request, 'host')
  const [forwarded] = String(headers['x-forwarded-proto'] ?? '').split(',')
  const isSecure =
    forwarded === '' ? Reflect.get(socket, 'encrypted') === true : forwarded?.trim() === 'https'
  const origin = `${isSecure ? 'https' : 'http'}://${String(host)}`
  const valid = URL.canParse(origin) ? new URL(origin).origin : ''
  // A URL may have quotes in its host, and would end the text of a challenge with them.
  return /^https?:\/\/[\w.:[\]-]+$/.test(valid) ? valid : undefined
}

/** The whole target, also below the path at which a framework mounts the api. */
function targetOf(request: HttpRequest): string {
  const whole: unknown = Reflect.get(request, 'originalUrl')
  return typeof whole === 'string' ? whole : (request.url ?? '')
}

/** Those in `mcp.json`, which the generator reads from the document. */
function authorizationServersOf(list: unknown): readonly string[] {
  const { authorizationServers = [] } = (list ?? {}) as { readonly authorizationServers?: readonly string[] }
  return authorizationServers
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource'
