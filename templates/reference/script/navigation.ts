import { focusOn } from './element.js'
import { heightsOf } from './heights.js'
import { seek } from './spy.js'

/**
 * Opens other pages of this reference without leaving the document, so that its memory stays: above all
 * credentials, which are never stored. A page loads as usual if it is a file (which cannot fetch), belongs to
 * another version, or cannot be fetched.
 *
 * @returns opens an address, relative to the page
 */
export function prepareNavigation(prepare: () => void): (href: string) => void {
  let shown = pageOf(new URL(location.href))
  let latest = 0
  const heights = heightsOf(() => pageOf(new URL(location.href)) === shown)

  const show = async (url: URL, isNew: boolean): Promise<void> => {
    latest += 1
    const mine = latest
    let page: Document
    try {
      page = await fetched(pageOf(url))
    } catch {
      location.href = url.href
      if (!isNew) location.reload()
      return
    }
    if (mine !== latest) return
    shown = pageOf(url)
    history.scrollRestoration = 'manual'
    if (isNew) {
      history.pushState(null, '', shown)
      heights.enter()
    }
    put(page)
    prepare()
    scrollTo(0, 0)
    // Only a real navigation sets `:target`.
    if (url.hash !== '') heights.keep(() => location.replace(url.href))
    else focusOn(document.querySelector('main'))
    if (isNew) seek(true)
    else heights.restore()
  }

  const open = (href: string): boolean => {
    const url = new URL(href, document.baseURI)
    if (!isOfThisReference(url) || pageOf(url) === shown) return false
    void show(url, true)
    return true
  }
  document.addEventListener('click', (event) => {
    const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
    if (link === null || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return
    if (!event.defaultPrevented && open(link.href)) event.preventDefault()
  })
  addEventListener('popstate', () => {
    const url = new URL(location.href)
    heights.enter()
    if (pageOf(url) !== shown) {
      void show(url, false)
      return
    }
    // Cancels a page that is still loading.
    latest += 1
    if (history.scrollRestoration === 'manual') heights.restore()
  })
  return (href) => {
    if (!open(href)) location.href = href
  }
}

/** Whether pages can be fetched, so that navigation keeps the memory. */
export function keepsMemory(): boolean {
  return /^https?:$/.test(location.protocol)
}

function isOfThisReference(url: URL): boolean {
  // Other schemes, such as blob, have no folders.
  if (!keepsMemory() || !/^https?:$/.test(url.protocol)) return false
  const folder = new URL('.', document.baseURI).href
  return new URL('.', url).href === folder && /(\/|\.html)$/.test(url.pathname)
}

function pageOf({ origin, pathname, search }: URL): string {
  return origin + pathname + search
}

async function fetched(url: string): Promise<Document> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(answer.statusText)
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  if (page.querySelector('main') === null) throw new Error('This is not a page of a reference')
  return page
}

/**
 * Replaces the parts that differ between pages. The base comes first, since the new content has relative
 * addresses.
 */
function put(page: Document): void {
  document.querySelector('base')?.remove()
  const base = page.querySelector('base')
  if (base !== null) document.head.prepend(base)
  document.title = page.title
  for (const part of ['.sidebar', 'main']) {
    const [old, fresh] = [document.querySelector(part), page.querySelector(part)]
    if (old !== null && fresh !== null) old.replaceWith(document.adoptNode(fresh))
  }
}
