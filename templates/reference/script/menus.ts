import { button } from './element.js'

/**
 * The list of operations stands open where there is room beside the content, and folded where there is none.
 *
 * @returns does so with another list
 */
export function foldMenu(): () => void {
  const narrow = matchMedia('(max-width: 60rem)')
  const fold = () => {
    const menu = document.querySelector<HTMLDetailsElement>('.menu')
    if (menu === null) return
    menu.open = !narrow.matches
    // Until here the style has kept it folded.
    menu.dataset.ready = ''
    const current = menu.querySelector<HTMLElement>('[aria-current="page"]')
    // Of hundreds of namespaces the one that is shown stands in view.
    if (current !== null) menu.scrollTop = current.offsetTop - menu.clientHeight / 3
  }
  fold()
  narrow.addEventListener('change', fold)
  return fold
}

/** Another version is opened at the page and the operation that are shown; a page that it lacks leads to its index. */
export function switchVersions(): void {
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('[data-version-link]') : null
    const page = location.pathname.split('/').pop() ?? ''
    if (link === null || !page.endsWith('.html')) return
    const pages = globalThis.duet?.versions[link.textContent]
    if (pages?.includes(page)) link.href = link.href.replace(/[^/]*$/, page + location.hash)
  })
}

/** Samples: one language at a time, the same in all of the page, and a button that copies each. */
export function prepareSamples(content: ParentNode): void {
  // Only blocks that come into view get their button: a page may have thousands.
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue
      seen.unobserve(target)
      const block = target.querySelector('pre')
      if (block !== null) target.append(copyButton(block))
    }
  })
  for (const block of content.querySelectorAll('.samples .block')) seen.observe(block)
  for (const summary of content.querySelectorAll<HTMLElement>('[data-sample] > summary')) {
    summary.addEventListener('click', (event) => {
      const { sample } = summary.parentElement?.dataset ?? {}
      if (sample === undefined || sample === 'answer') return
      event.preventDefault()
      const top = summary.getBoundingClientRect().top
      for (const other of document.querySelectorAll<HTMLDetailsElement>('[data-sample]'))
        if (other.dataset.sample !== 'answer') other.open = other.dataset.sample === sample
      // What was pressed stays under the pointer.
      scrollBy(0, summary.getBoundingClientRect().top - top)
    })
  }
}

function copyButton(block: HTMLElement): HTMLButtonElement {
  const copy = button(
    'Copy',
    async () => {
      try {
        await navigator.clipboard.writeText(block.textContent ?? '')
        copy.textContent = 'Copied'
      } catch {
        getSelection()?.selectAllChildren(block)
        copy.textContent = 'Selected'
      }
      setTimeout(() => {
        copy.textContent = 'Copy'
      }, 1500)
    },
    'copy',
  )
  return copy
}
