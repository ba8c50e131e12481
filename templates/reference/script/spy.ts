let seen: IntersectionObserver | undefined

/** Marks the operation that a reader is at in the menu, while the page scrolls. */
export function markPlace(content: ParentNode): void {
  seen?.disconnect()
  const links = new Map(
    Array.from(document.querySelectorAll<HTMLAnchorElement>('.operation-link'), (link) => [
      decoded(link.hash),
      link,
    ]),
  )
  if (links.size === 0) return
  const visible = new Set<Element>()
  seen = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (isIntersecting) visible.add(target)
        else visible.delete(target)
      }
      const [first] = [...visible].sort((a, b) => (a.compareDocumentPosition(b) & 4 ? -1 : 1))
      if (first === undefined) return
      for (const [id, link] of links) {
        if (id === first.id) mark(link)
        else link.removeAttribute('aria-current')
      }
    },
    // Below the bar and the end of a section above; the upper part of the window.
    { rootMargin: '-128px 0px -60% 0px' },
  )
  for (const section of content.querySelectorAll('.operation[id]')) seen.observe(section)
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

/** A field of the address that has no row of its own is found at its operation. */
export function seek(): void {
  const wanted = decoded(location.hash)
  if (wanted === '' || document.getElementById(wanted) !== null) return
  document.getElementById(wanted.split('/')[0] ?? '')?.scrollIntoView()
}

function decoded(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return ''
  }
}
