// Single keys, which a reader can turn off (WCAG 2.2, 2.1.4).
{
  const key = 'duet-keys'
  const help = document.querySelector('[data-keys-help]')
  const choice = document.querySelector('[data-keys-on]')
  const items = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('[data-item]')])
  let isOn = true
  try {
    isOn = localStorage.getItem(key) !== 'off'
  } catch {
    // A page from a file may be kept from storage.
  }
  if (choice instanceof HTMLInputElement) {
    choice.checked = isOn
    choice.addEventListener('change', () => {
      isOn = choice.checked
      try {
        localStorage.setItem(key, isOn ? 'on' : 'off')
      } catch {
        // As above.
      }
    })
  }

  const showHelp = () => help instanceof HTMLDialogElement && help.showModal()
  document.querySelector('[data-keys]')?.addEventListener('click', showHelp)

  /** The row that has the focus, or had it last. @type {HTMLElement | undefined} */
  let row
  document.addEventListener('focusin', ({ target }) => {
    const item = target instanceof Element ? target.closest('[data-item]') : null
    if (item instanceof HTMLElement) row = item
  })

  /** @param {HTMLElement} item */
  const focus = (item) => {
    item.querySelector('summary')?.focus({ preventScroll: true })
    item.scrollIntoView({ block: item.getBoundingClientRect().height > innerHeight ? 'start' : 'nearest' })
  }

  /** @param {1 | -1} by */
  const move = (by) => {
    let at = row ? items.indexOf(row) : -1
    if (at === -1 && by === -1) at = items.length
    do at += by
    while (items[at]?.checkVisibility() === false)
    const next = items[at]
    if (next) focus(next)
    say('')
  }

  const alert = document.createElement('p')
  alert.setAttribute('role', 'alert')
  alert.className = 'key-alert'
  /** @param {string} text empty: nothing to say */
  const say = (text) => {
    alert.textContent = text
    if (text === '') alert.remove()
    else document.body.append(alert)
  }

  /**
   * Presses a button of the current row, which unfolds for it.
   *
   * @param {string} selector
   * @param {string} missing what to say if the row has none
   */
  const press = (selector, missing = '') => {
    const target = row?.querySelector(selector)
    if (!(target instanceof HTMLElement)) return say(missing)
    say('')
    const change = row?.querySelector('details')
    if (change && target instanceof HTMLButtonElement) change.open = true
    target.click()
    // A folded row hides what had the focus.
    if (row && change?.open === false) focus(row)
  }

  /** @type {Readonly<Record<string, () => unknown>>} */
  const actions = {
    j: () => move(1),
    k: () => move(-1),
    v: () => press('[data-viewed]'),
    c: () => press('[data-copy]', 'This row has no proof to copy.'),
    w: () => press('[data-waiver]', 'This row has no waiver to copy.'),
    '/': () => {
      const fold = document.querySelector('[data-fold-small]')
      if (fold instanceof HTMLDetailsElement) fold.open = true
      const search = document.querySelector('[data-filters] input[type="search"]')
      if (search instanceof HTMLElement) search.focus()
    },
    '?': showHelp,
  }

  document.addEventListener('keydown', (event) => {
    if (!isOn || event.ctrlKey || event.metaKey || event.altKey) return
    if (help instanceof HTMLDialogElement && help.open) return
    const { target } = event
    const isTyping = target instanceof HTMLElement && target.matches('input[type="search"], select, textarea')
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined
    if (isTyping || action === undefined) return
    event.preventDefault()
    action()
  })
}
