// Filters, folding and copying. Without this script, all content is readable and can be unfolded.
{
  const form = document.querySelector('[data-filters]')
  const status = document.querySelector('[data-count]')
  const nothing = document.querySelector('[data-nothing]')
  const sections = [...document.querySelectorAll('[data-section]')].map((section) => ({
    section,
    link: document.querySelector(`[data-for="${section.id}"]`)?.parentElement,
    title: section.querySelector('h3')?.textContent?.toLowerCase() ?? '',
    changes: /** @type {HTMLDetailsElement[]} */ ([...section.querySelectorAll('.change')]),
  }))
  const all = sections.flatMap(({ changes }) => changes)
  /** The number of changes that an entry represents. @param {HTMLElement} change */
  const countOf = (change) => Number(change.dataset.changes ?? 1)
  const total = all.reduce((sum, change) => sum + countOf(change), 0)

  /** The searchable words of each change, read at the first search. @type {Map<Element, string>} */
  const found = new Map()
  /** @param {Element} change */
  const wordsOf = (change) => {
    const known = found.get(change)
    if (known !== undefined) return known
    const parts = [change.querySelector('.message'), ...change.querySelectorAll('[data-find]')]
    const words = parts
      .map((part) => part?.textContent ?? '')
      .join(' ')
      .toLowerCase()
    found.set(change, words)
    return words
  }

  const operations = [...document.querySelectorAll('#operations option')].map((option) =>
    (option.textContent ?? '').toLowerCase(),
  )
  /** Whether a shared change affects one of the operations, given by their index. */
  /** @param {HTMLElement} change @param {readonly number[]} indexes */
  const reaches = (change, indexes) =>
    (change.dataset.reached ?? '').split(' ').some((range) => {
      const [from = Number.NaN, to = from] = range === '' ? [] : range.split('-').map(Number)
      return indexes.some((index) => from <= index && index <= to)
    })

  const filter = () => {
    if (!(form instanceof HTMLFormElement)) return
    const data = new FormData(form)
    const text = String(data.get('text') ?? '')
      .trim()
      .toLowerCase()
    const protocol = String(data.get('protocol') ?? '')
    const waived = String(data.get('waived') ?? '')
    const levels = new Set(data.getAll('level').map(String))
    const named = operations.flatMap((name, index) => (text !== '' && name.includes(text) ? [index] : []))
    /** @type {Map<string, number>} */
    const counts = new Map()
    let shown = 0
    for (const { section, link, title, changes } of sections) {
      let last
      for (const change of changes) {
        const { level = '', protocols = '' } = change.dataset
        const isWaived = change.hasAttribute('data-waived')
        const fits =
          (protocol === '' || protocols.split(' ').includes(protocol)) &&
          (waived === '' || (waived === 'only') === isWaived) &&
          (text === '' || title.includes(text) || wordsOf(change).includes(text) || reaches(change, named))
        const count = countOf(change)
        if (fits) counts.set(level, (counts.get(level) ?? 0) + count)
        change.hidden = !(fits && levels.has(level))
        change.classList.remove('is-last')
        if (!change.hidden) {
          last = change
          shown += count
        }
      }
      last?.classList.add('is-last')
      section.toggleAttribute('hidden', last === undefined)
      link?.toggleAttribute('hidden', last === undefined)
    }
    for (const count of form.querySelectorAll('[data-level-count]'))
      count.textContent = String(counts.get(count.getAttribute('data-level-count') ?? '') ?? 0)
    if (status) status.textContent = shown === total ? `${shown} shown` : `${shown} of ${total} shown`
    nothing?.toggleAttribute('hidden', shown > 0 || all.length === 0)
  }

  // On a small screen the changes come first.
  const fold = document.querySelector('[data-fold-small]')
  if (fold instanceof HTMLDetailsElement) fold.open = !matchMedia('(max-width: 60rem)').matches

  let waiting = 0
  form?.addEventListener('input', () => {
    cancelAnimationFrame(waiting)
    waiting = requestAnimationFrame(filter)
  })
  form?.addEventListener('submit', (event) => event.preventDefault())
  form?.addEventListener('reset', () => setTimeout(filter))

  for (const button of document.querySelectorAll('[data-fold]'))
    button.addEventListener('click', () => {
      const open = button.getAttribute('data-fold') === 'open'
      for (const change of all) if (!change.hidden) change.open = open
    })

  /** @param {string} text */
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      // Without access to the clipboard, the older API may still work.
      const area = document.createElement('textarea')
      area.value = text
      document.body.append(area)
      area.select()
      document.execCommand('copy')
      area.remove()
    }
  }
  document.addEventListener('click', async (event) => {
    const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null
    if (!(button instanceof HTMLButtonElement)) return
    await copy(button.closest('.call')?.querySelector('code')?.textContent ?? '')
    button.focus()
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })

  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (target instanceof HTMLDetailsElement) target.open = true
  }
  addEventListener('hashchange', reveal)
  reveal()

  // Paper cannot unfold.
  /** @type {HTMLDetailsElement[]} */
  let folded = []
  addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll('details')].filter((one) => !one.open)
    for (const one of folded) one.open = true
  })
  addEventListener('afterprint', () => {
    for (const one of folded) one.open = false
  })
}
