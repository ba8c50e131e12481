let ended = new AbortController()

/** Marks the operation, or the section of the start page, that a reader is at in the menu, while the page scrolls. */
export function markPlace(content: ParentNode): void {
  ended.abort()
  ended = new AbortController()
  const titles = Array.from(content.querySelectorAll('.start h2[id]'))
  if (titles.length > 0) markSection(titles, ended.signal)
  else markOperation(content.querySelectorAll('.operation[id]'), ended.signal)
}

function markSection(titles: readonly Element[], signal: AbortSignal): void {
  const show = marks('.pages a')
  const update = () => {
    // The top of the page is its overview, unless the reader came for a section that is there.
    const isAtTop = scrollY < 2 && location.hash === ''
    const passed = titles.findLast((title) => title.getBoundingClientRect().top < innerHeight / 2)
    show(isAtTop ? undefined : passed?.id)
  }
  addEventListener('scroll', update, { passive: true, signal })
  update()
}

function markOperation(operations: Iterable<Element>, signal: AbortSignal): void {
  const show = marks('.operation-link')
  const visible = new Set<Element>()
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (isIntersecting) visible.add(target)
        else visible.delete(target)
      }
      const [first] = [...visible].sort((a, b) => (a.compareDocumentPosition(b) & 4 ? -1 : 1))
      if (first !== undefined) show(first.id)
    },
    // Below the bar and the end of an operation above; the upper part of the window.
    { rootMargin: '-30% 0px -60% 0px' },
  )
  for (const operation of operations) seen.observe(operation)
  signal.addEventListener('abort', () => seen.disconnect())
}

/** Marks one link of the menu by the id that it leads to. */
function marks(kind: string): (id: string | undefined) => void {
  const links = Array.from(
    document.querySelectorAll<HTMLAnchorElement>(kind),
    (link) => [decoded(link.hash), link] as const,
  ).filter(([id]) => id !== '')
  return (id) => {
    for (const [of, link] of links)
      if (of === id) mark(link)
      else link.removeAttribute('aria-current')
  }
}

function mark(link: HTMLAnchorElement): void {
  if (link.hasAttribute('aria-current')) return
  link.setAttribute('aria-current', 'location')
  const menu = link.closest<HTMLElement>('.menu')
  if (menu === null || menu.scrollHeight <= menu.clientHeight) return
  const { top, bottom } = link.getBoundingClientRect()
  const box = menu.getBoundingClientRect()
  if (top < box.top || bottom > box.bottom) menu.scrollTop += top - box.top - menu.clientHeight / 3
}

/**
 * Scrolls to the element of the address. A field that has no row of its own is found at its operation.
 *
 * @param isNew whether the reader has just opened the address, and has not scrolled yet
 */
export function seek(isNew = false): void {
  const wanted = decoded(location.hash)
  const own = document.getElementById(wanted)
  if (own === null) document.getElementById(wanted.split('/')[0] ?? '')?.scrollIntoView()
  else if (isNew || isAtTop(own)) stayAt(own)
}

function isAtTop(target: Element): boolean {
  const { scrollPaddingTop } = getComputedStyle(document.documentElement)
  return Math.abs(target.getBoundingClientRect().top - Number.parseFloat(scrollPaddingTop)) < 2
}

/**
 * Stays at an element while what is above it gets its real height, which it has only once it comes near. Ends
 * as soon as the reader scrolls, presses, types or goes elsewhere.
 */
function stayAt(target: Element): void {
  const { href } = location
  let frames = 30
  const end = () => {
    frames = 0
  }
  for (const act of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
    addEventListener(act, end, { once: true, passive: true })
  const follow = () => {
    if (frames === 0 || location.href !== href) return
    frames -= 1
    target.scrollIntoView()
    requestAnimationFrame(follow)
  }
  requestAnimationFrame(follow)
}

/** The id of an address's fragment. */
export function decoded(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return ''
  }
}
