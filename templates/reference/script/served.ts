import { element } from './element.js'
import { keepsMemory } from './navigation.js'
import type { Settings } from './page.js'

/**
 * A notice next to calls that another version than the page's answers them, while they go to the page's own
 * origin.
 */
export function servedNotice(
  { title, version }: Settings,
  address: () => string,
): { readonly element: HTMLElement; readonly update: () => void } {
  const notice = element('p', { class: 'notice', role: 'status', hidden: true })
  const update = async (): Promise<void> => {
    const isOwn = isOwnOrigin(address)
    const served = isOwn ? await servedVersion(title, address()) : undefined
    notice.hidden = !isOwnOrigin(address) || served === undefined || served === version
    if (served === undefined || notice.hidden || notice.textContent !== '') return
    notice.append(
      `This page describes version ${version}. The service here has version `,
      linkTo(served),
      `, and handles calls accordingly.`,
    )
  }
  return { element: notice, update: () => void update() }
}

/** Marks the served version in the list of versions when a reader opens the list. */
export function markServed({ title }: Settings): void {
  const list = document.querySelector<HTMLDetailsElement>('.versions details')
  list?.addEventListener(
    'toggle',
    async () => {
      const served = await servedVersion(title, location.origin)
      if (served !== undefined)
        linkOf(served)?.after(' ', element('span', { class: 'served' }, 'served here'))
    },
    { once: true },
  )
}

const asked = new Map<string, Promise<string | undefined>>()

/**
 * The version of the service at an address, from its OpenAPI document. Requested once, and only from the
 * page's own origin: no other server learns of the reader. Undefined: unknown.
 */
function servedVersion(title: string, address: string): Promise<string | undefined> {
  const known = asked.get(address)
  if (known !== undefined) return known
  const version = keepsMemory() ? fetchVersion(title, address) : Promise.resolve(undefined)
  asked.set(address, version)
  return version
}

async function fetchVersion(title: string, address: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${address}/openapi.json`, {
      credentials: 'omit',
      signal: AbortSignal.timeout(5000),
    })
    const body: unknown = answer.ok ? await answer.json() : undefined
    const { info } = body as { info?: { title?: unknown; version?: unknown } }
    // A static server may serve the reference next to another service's document.
    return info?.title === title && typeof info.version === 'string' ? info.version : undefined
  } catch {
    return undefined
  }
}

function isOwnOrigin(address: () => string): boolean {
  try {
    return new URL(address()).origin === location.origin
  } catch {
    return false
  }
}

/** The version, as a link to its reference if there is one. */
function linkTo(version: string): HTMLElement | string {
  const link = linkOf(version)
  return link === undefined ? version : element('a', { href: link.href, 'data-version-link': true }, version)
}

function linkOf(version: string): HTMLAnchorElement | undefined {
  const links = document.querySelectorAll<HTMLAnchorElement>('.versions [data-version-link]')
  return [...links].find((link) => link.textContent === version)
}
