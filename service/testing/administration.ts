import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Contract } from 'duet-runtime'
import { createAdministration } from '../admin/administration.js'
import { areaOf } from '../admin/area.js'
import type { SampleUser } from '../data/credentials.js'
import { insertSample } from '../data/sample.js'
import { keepResponse } from '../http/response-of.js'
import { createApiKeyVault } from '../identity/api-key.js'
import { createIdentity, type Identity } from '../identity/identity.js'
import { sealerFor } from '../identity/sealer.js'
import { Admission } from '../limits/admission.js'
import { createRateLimiter } from '../limits/rate-limiter.js'
import { credentialsIn } from '../server/credentials-in.js'
import type { Database } from '../storage/database/database.js'
import { migrate, readMigrations } from '../storage/database/migrate.js'
import { usageAreaOf } from '../usage/area.js'
import { overviewOf } from '../usage/overview.js'

/** The administration area alone, over the sample data. */
export interface ServedAdministration {
  readonly url: string
  readonly identity: Identity
  /** The sample's users by login. */
  readonly users: ReadonlyMap<string, SampleUser>
  close(): Promise<void>
}

const secret = 's'.repeat(32)

export async function serveAdministration(
  database: Database,
  failuresPerMinute = 0,
  contracts: readonly Contract[] = [],
): Promise<ServedAdministration> {
  await migrate(database, await readMigrations())
  const vault = createApiKeyVault(secret)
  const sealer = sealerFor('second factor encryption', secret)
  const sample = await insertSample(database, vault)
  const identity = createIdentity({ database, secret })
  const limiter = createRateLimiter()
  const admission = new Admission({
    identity,
    limiter,
    callsPerMinute: 0,
    failuresPerMinute,
    anonymousPerMinute: 0,
    processorShare: 0,
    credentialsOf: credentialsIn,
    subjectOf: () => 'an address',
    setHeaders: () => {},
    onLimited: () => {},
    onFailedSignIn: () => {},
  })
  const settings = { systemTimezone: 'UTC', trustedProxies: 1 }
  const usage = usageAreaOf({ database, secret }, { usageDays: 90, sunsets: {} }, contracts)
  const operations = new Set(contracts.flatMap((contract) => Object.keys(contract.operations)))
  const overview = overviewOf(database, operations, () => undefined)
  const administration = createAdministration(
    areaOf({ database, secret, vault, sealer }, admission, settings, { usage, overview }),
    () => {},
  )
  const server: Server = createServer((request, response) => {
    keepResponse(request, response)
    if (!administration(request, response)) response.writeHead(404).end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    identity,
    users: new Map(sample.map((user) => [user.login, user])),
    async close() {
      await limiter.stop()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/**
 * A browser without scripts: keeps the cookie, sends the forms of pages, follows no redirects but those to the page that
 * says why a form was refused.
 */
export class Visitor {
  cookie = ''
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Page> {
    return await this.#ask(path, { headers })
  }

  /** Sends the page's form for a path: its fields, overridden by the typed values. */
  async send(page: Page, path: string, typed: Record<string, string>): Promise<Page> {
    return await this.post(path, { ...page.fieldsOf(path), ...typed })
  }

  async post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Page> {
    const page = await this.answerTo(path, fields, headers)
    const { location } = page
    return location !== null && /[?&](?:refused=|done=(?:wrong|limited))|second-step\?done=/.test(location)
      ? await this.get(location)
      : page
  }

  /** The answer itself, which is a redirect. */
  async answerTo(
    path: string,
    fields: Record<string, string> | string,
    headers: Record<string, string> = { origin: this.#url },
  ): Promise<Page> {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString()
    return await this.#ask(path, { method: 'POST', headers: { ...type, ...headers }, body })
  }

  async signIn(login: string, password: string): Promise<Page> {
    return await this.post('/admin/sign-in', { login, password, next: '/admin/' })
  }

  async #ask(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<Page> {
    const headers = { ...init.headers, ...(this.cookie !== '' && { cookie: this.cookie }) }
    const response = await fetch(this.#url + path, { ...init, headers, redirect: 'manual' })
    const given = response.headers.getSetCookie()[0]
    if (given !== undefined) this.cookie = /Max-Age=0(?!\d)/.test(given) ? '' : (given.split(';')[0] ?? '')
    return new Page(response, await response.text())
  }
}

export class Page {
  readonly status: number
  readonly headers: Headers
  readonly html: string

  constructor({ status, headers }: Response, html: string) {
    this.status = status
    this.headers = headers
    this.html = html
  }

  get location(): string | null {
    return this.headers.get('location')
  }

  /** Names and values of the fields in the form for a path. Omits unchecked checkboxes. */
  fieldsOf(path: string): Record<string, string> {
    const forms = this.html.split('<form').map((text) => text.split('</form>')[0] ?? '')
    const form = forms.find((text) => text.includes(`method="post" action="${path}"`)) ?? ''
    const tags = [...form.matchAll(/<(?:input|option) [^>]*>|<select [^>]*>/g)].map(([tag]) => tag)
    const fields: Record<string, string> = {}
    let list = ''
    for (const tag of tags) {
      const name = / name="(\w+)"/.exec(tag)?.[1] ?? list
      if (tag.startsWith('<select')) list = name
      const isOff = tag.startsWith('<input')
        ? tag.includes('type="checkbox"') && !tag.includes(' checked')
        : !tag.includes(' selected')
      if (!isOff) fields[name] = textOf(/ value="([^"]*)"/.exec(tag)?.[1] ?? '')
    }
    return fields
  }

  /** The fault shown for a field. */
  faultOf(name: string): string | undefined {
    return new RegExp(`id="${name}-fault">([^<]*)<`).exec(this.html)?.[1]
  }

  /** The value of a field. */
  valueOf(name: string): string | undefined {
    return new RegExp(`<input[^>]* name="${name}" value="([^"]*)"`).exec(this.html)?.[1]
  }
}

/** Decodes the text of HTML. */
export function textOf(html: string): string {
  return html.replace(
    /&(?:#x([0-9A-F]+)|(\w+));/g,
    (_, code: string | undefined, name: string | undefined) =>
      code === undefined ? (names[name ?? ''] ?? '') : String.fromCodePoint(Number.parseInt(code, 16)),
  )
}

const names: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }
