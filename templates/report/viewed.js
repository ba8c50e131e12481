// Marks of what a reader has viewed, by fingerprint, in the storage of this page.
{
  const key = 'duet-viewed'
  const items = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('[data-item]')])
  const status = document.querySelector('[data-viewed-count]')
  /** @param {HTMLElement} item */
  const printsOf = (item) => (item.dataset.fingerprints ?? '').split(' ')
  const own = new Set(items.flatMap(printsOf))

  const stored = () => {
    try {
      const found = JSON.parse(localStorage.getItem(key) ?? '[]')
      return new Set(Array.isArray(found) ? found.map(String) : [])
    } catch {
      // A page from a file may be kept from storage. Then marks last as long as the page.
      return new Set()
    }
  }
  const viewed = stored()

  /** Keeps the newest marks, and those of other reviews that were marked since. */
  const store = () => {
    const others = [...stored()].filter((print) => !own.has(print))
    const kept = [...others, ...[...viewed].filter((print) => own.has(print))].slice(-20_000)
    try {
      localStorage.setItem(key, JSON.stringify(kept))
    } catch {
      // As above.
    }
  }

  const show = () => {
    let count = 0
    let total = 0
    for (const item of items) {
      const changes = Number(item.dataset.changes ?? 1)
      total += changes
      const isViewed = printsOf(item).every((print) => viewed.has(print))
      if (isViewed) count += changes
      item.toggleAttribute('data-is-viewed', isViewed)
      const box = item.querySelector('[data-viewed]')
      if (box instanceof HTMLInputElement) box.checked = isViewed
    }
    if (status) status.textContent = count === 0 ? '' : `, ${count} of ${total} viewed`
  }

  document.addEventListener('change', (event) => {
    const box = event.target
    if (!(box instanceof HTMLInputElement) || !box.matches('[data-viewed]')) return
    const item = box.closest('[data-item]')
    if (!(item instanceof HTMLElement)) return
    for (const print of printsOf(item))
      if (box.checked) viewed.add(print)
      else viewed.delete(print)
    const change = item.querySelector('details')
    if (change) change.open = !box.checked
    store()
    show()
    document.dispatchEvent(new Event('duet-filter'))
  })

  if (viewed.size > 0) show()
  // What was viewed before starts folded, except what the address names.
  for (const item of items) {
    const change = item.querySelector('details')
    if (change && item.hasAttribute('data-is-viewed') && `#${change.id}` !== location.hash)
      change.open = false
  }
}
