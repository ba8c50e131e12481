import { button } from './element.js'

/**
 * Opens the list of operations if there is space next to the content, and folds it otherwise.
 *
 * @returns does the same with another list
 */
export function foldMenu(): () => void {
  const narrow = matchMedia('(max-width: 60rem)')
  const fold = () => {
    const menu = document.querySelector<HTMLDetailsElement>('.menu')
    if (menu === null) return
    menu.open = !narrow.matches
    // Until now the style sheet has kept it folded.
    menu.dataset.ready = ''
    const current = menu.querySelector<HTMLElement>('[aria-current="page"]')
    // Scrolls the current one of hundreds of namespaces into view.
    if (current !== null) menu.scrollTop = current.offsetTop - menu.clientHeight / 3
  }
  fold()
  narrow.addEventListener('change', fold)
  return fold
}

/**
 * Opens the current page and operation in another version, or that version's index if it does not have the
 * page.
 */
export function switchVersions(): void {
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('[data-version-link]') : null
    const page = location.pathname.split('/').pop() ?? ''
    if (link === null || !page.endsWith('.html')) return
    const pages = globalThis.duet?.versions[link.textContent]
    if (pages?.includes(page)) link.href = link.href.replace(/[^/]*$/, page + location.hash)
  })
}

/** Samples: shows one language at a time, the same on the whole page, and adds a copy button to each. */
export function prepareSamples(content: ParentNode): void {
  // Only blocks in view get their button: a page may have thousands.
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
      // Keeps the pressed element under the pointer.
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
