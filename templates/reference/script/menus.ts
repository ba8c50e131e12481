import { button } from './element.js'
import { highlight } from './highlight.js'

const narrow = matchMedia('(max-width: 75rem)')

/**
 * Opens the list of operations if there is space next to the content, and folds it otherwise.
 *
 * @returns does the same with another list
 */
export function foldMenu(): () => void {
  const fold = () => {
    const menu = document.querySelector<HTMLDetailsElement>('.menu')
    if (menu === null) return
    menu.open = !narrow.matches
    // Until now the style sheet has kept it folded.
    menu.dataset.ready = ''
    showCurrent(menu)
    menu.ontoggle = () => showCurrent(menu)
  }
  fold()
  narrow.addEventListener('change', fold)
  return fold
}

/** Scrolls the current one of hundreds of namespaces into view, if the menu shows only some. */
function showCurrent(menu: HTMLElement): void {
  const current = menu.querySelector('[aria-current="page"]')
  if (current === null) return
  const { top, bottom } = current.getBoundingClientRect()
  const box = menu.getBoundingClientRect()
  if (top < box.top || bottom > box.bottom) menu.scrollTop += top - box.top - menu.clientHeight / 3
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
    // That version may have fewer operations here, so fewer pages.
    const first = document.querySelector('.namespace[aria-current="page"]')?.getAttribute('href')
    const found = [page, first].find((one) => one && pages?.includes(one))
    if (found) link.href = link.href.replace(/[^/]*$/, found + location.hash)
  })
}

/** Menus close on Escape and when something else is pressed; the list of operations where it covers the page. */
export function prepareMenus(): void {
  const openMenus = () =>
    document.querySelectorAll<HTMLDetailsElement>(
      `details[data-menu][open]${narrow.matches ? ', .menu[open]' : ''}`,
    )
  document.addEventListener('pointerdown', ({ target }) => {
    for (const menu of openMenus()) if (!(target instanceof Node && menu.contains(target))) menu.open = false
  })
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    for (const menu of openMenus()) {
      const hadFocus = menu.contains(document.activeElement)
      menu.open = false
      if (hadFocus) menu.querySelector('summary')?.focus()
    }
  })
}

/** Colours code, and gives it a button that copies it, once it comes into view: a page may have thousands. */
export function prepareBlocks(content: ParentNode): void {
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue
      seen.unobserve(target)
      const code = target.querySelector<HTMLElement>('pre code')
      if (code === null) continue
      highlight(code)
      target.append(copyButton(code))
    }
  })
  for (const block of content.querySelectorAll('.block')) seen.observe(block)
}

/** Copies the text of a block. */
export function copyButton(block: HTMLElement): HTMLButtonElement {
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
