import { element, isolated } from './element.js'
import { type Entry, finderOf, type Match } from './found.js'
import { decoded } from './spy.js'

declare global {
  // data.js sets it.
  var duet:
    | { readonly search: readonly Entry[]; readonly versions: Readonly<Record<string, readonly string[]>> }
    | undefined
}

/** Search as you type: `/` or Ctrl K focuses it, arrows choose, Enter opens, Escape closes. */
export function prepareSearch(open: (href: string) => void): void {
  const input = document.querySelector<HTMLInputElement>('#search')
  const list = document.querySelector<HTMLElement>('#found')
  if (input === null || list === null) return
  const status = document.querySelector('#found-count')
  let find: ReturnType<typeof finderOf> | undefined
  let active = -1
  let options: HTMLElement[] = []

  const choose = (index: number) => {
    active = options.length === 0 ? -1 : (index + options.length) % options.length
    for (const [at, option] of options.entries()) option.setAttribute('aria-selected', String(at === active))
    const chosen = options[active]
    if (chosen === undefined) input.removeAttribute('aria-activedescendant')
    else {
      input.setAttribute('aria-activedescendant', chosen.id)
      chosen.scrollIntoView({ block: 'nearest' })
    }
  }
  const expand = (isOpen: boolean) => {
    list.hidden = !isOpen
    input.setAttribute('aria-expanded', String(isOpen))
    if (!isOpen) input.removeAttribute('aria-activedescendant')
  }
  const show = () => {
    const isSearching = input.value.trim() !== ''
    // Most pages are read without a search.
    find ??= finderOf(globalThis.duet?.search ?? [])
    const { best, total } = find(input.value)
    options = best.map(optionOf)
    const count = total > best.length ? `First ${best.length} of ${total}` : `${total} found`
    const none = element('li', { class: 'none', role: 'option', 'aria-disabled': 'true' }, 'Nothing found')
    // Only visual: a screen reader reads the status.
    const cut = element('li', { class: 'found-cut', 'aria-hidden': 'true' }, count)
    list.replaceChildren(
      ...(total > best.length ? [cut] : total === 0 && isSearching ? [none] : []),
      ...options,
    )
    if (status !== null) status.textContent = isSearching ? count : ''
    expand(isSearching)
    choose(0)
  }
  const follow = (option: HTMLElement | null | undefined) => {
    if (option?.dataset.href === undefined) return
    expand(false)
    input.blur()
    open(option.dataset.href)
  }

  input.addEventListener('input', show)
  input.addEventListener('focus', () => {
    if (input.value.trim() !== '') show()
  })
  input.addEventListener('blur', () => expand(false))
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (list.hidden) show()
      else choose(active + (event.key === 'ArrowDown' ? 1 : -1))
    } else if (event.key === 'Enter') {
      follow(options[active])
    } else if (event.key === 'Escape') {
      if (list.hidden) input.value = ''
      expand(false)
    }
  })
  // The list belongs to the field: pressing in it must not blur the field.
  list.addEventListener('pointerdown', (event) => event.preventDefault())
  list.addEventListener('click', ({ target }) => {
    if (target instanceof Element) follow(target.closest<HTMLElement>('[data-href]'))
  })
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    const isTyping = target instanceof Element && target.closest('input, textarea, select') !== null
    const isShortcut = key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey
    if (!isShortcut && (key !== '/' || isTyping || ctrlKey || metaKey || altKey)) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}

/**
 * The address of the page's operation, if another page has it now: pages have only so many operations, so it may have
 * moved since the address was written, or be elsewhere in this version.
 */
export function movedTo(): string | undefined {
  const wanted = decoded(location.hash)
  const [name = ''] = wanted.split('/')
  if (wanted === '' || document.getElementById(name) !== null) return undefined
  const found = globalThis.duet?.search.find(([known, method]) => known === name && method !== '')
  return found && found[5].replace(/#.*/, '') + location.hash
}

function optionOf({ title, name, path, href, why }: Match, index: number): HTMLElement {
  return element(
    'li',
    { id: `found-${index}`, role: 'option', 'data-href': href },
    element('span', { class: 'found-name', dir: 'auto' }, title),
    ...(title === name ? [] : [element('code', { class: 'found-path' }, ...isolated(name))]),
    element('span', { class: 'found-path' }, ...isolated(path)),
    ...(why === '' ? [] : [element('span', { class: 'found-why' }, why)]),
  )
}
