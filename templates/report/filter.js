// Filters changes. The filters are in the address, so that a link shows the same.
{
  const form = document.querySelector('[data-filters]')
  const status = document.querySelector('[data-count]')
  const nothing = document.querySelector('[data-nothing]')
  const sections = [...document.querySelectorAll('[data-section]')].map((section) => {
    const link = document.querySelector(`[data-for="${section.id}"]`)
    return {
      section,
      entry: link?.parentElement,
      count: link?.querySelector('.count'),
      title: section.querySelector('h3')?.textContent?.toLowerCase() ?? '',
      items: /** @type {HTMLElement[]} */ ([...section.querySelectorAll('[data-item]')]),
    }
  })
  const all = sections.flatMap(({ items }) => items)
  /** The number of changes in a row. @param {HTMLElement} item */
  const countOf = (item) => Number(item.dataset.changes ?? 1)
  const total = all.reduce((sum, item) => sum + countOf(item), 0)

  /** The searchable words of each row, read at the first search. @type {Map<Element, string>} */
  const found = new Map()
  /** @param {Element} item */
  const wordsOf = (item) => {
    const known = found.get(item)
    if (known !== undefined) return known
    const parts = item.querySelectorAll('.message, .tags, [data-find]')
    const words = [...parts]
      .map((part) => part.textContent ?? '')
      .join(' ')
      .toLowerCase()
    found.set(item, words)
    return words
  }

  const operations = [...document.querySelectorAll('#operations option')].map((option) =>
    (option.textContent ?? '').toLowerCase(),
  )
  const { spelled, vocabularyOf } =
    /** @type {{ spelling: typeof import('../reference/script/spelling.js') }} */ (
      /** @type {unknown} */ (globalThis)
    ).spelling
  /** @type {ReadonlyMap<string, number> | undefined} */
  let vocabulary
  /** The text, or if nothing has it, the text without typing errors. @param {string} text */
  const forgiven = (text) => {
    const texts = [...sections.map(({ title }) => title), ...operations, ...all.map(wordsOf)]
    if (texts.some((known) => known.includes(text))) return text
    vocabulary ??= vocabularyOf(texts)
    const known = vocabulary
    return text.replace(/[a-z0-9]+/g, (word) => spelled(word, known) ?? word)
  }
  /** Whether a shared change reaches one of the operations, given by their indexes. */
  /** @param {HTMLElement} item @param {readonly number[]} indexes */
  const reaches = (item, indexes) =>
    (item.dataset.reached ?? '').split(' ').some((range) => {
      const [from = Number.NaN, to = from] = range === '' ? [] : range.split('-').map(Number)
      return indexes.some((index) => from <= index && index <= to)
    })

  /** @param {Map<string, number>} counts @param {string} name @param {number} count */
  const add = (counts, name, count) => counts.set(name, (counts.get(name) ?? 0) + count)

  /** @param {HTMLFormElement} form */
  const filter = (form) => {
    const data = new FormData(form)
    const typed = String(data.get('text') ?? '')
      .trim()
      .toLowerCase()
    const text = typed === '' ? '' : forgiven(typed)
    const protocol = String(data.get('protocol') ?? '')
    const waived = String(data.get('waived') ?? '')
    const isViewedHidden = data.get('viewed') === 'without'
    const levels = new Set(data.getAll('level').map(String))
    const named = operations.flatMap((name, index) => (text !== '' && name.includes(text) ? [index] : []))
    /** @type {{ level: Map<string, number>, protocol: Map<string, number> }} */
    const counts = { level: new Map(), protocol: new Map() }
    let shown = 0
    for (const { section, entry, count: counter, title, items } of sections) {
      let own = 0
      for (const item of items) {
        const { level = '', protocols = '' } = item.dataset
        const count = countOf(item)
        const isKept =
          (waived === '' || (waived === 'only') === item.hasAttribute('data-waived')) &&
          !(isViewedHidden && item.hasAttribute('data-is-viewed')) &&
          (text === '' || title.includes(text) || wordsOf(item).includes(text) || reaches(item, named))
        const isOfProtocol = protocol === '' || protocols.split(' ').includes(protocol)
        // Each filter counts what the others leave.
        if (isKept && isOfProtocol) add(counts.level, level, count)
        if (isKept && levels.has(level))
          for (const name of protocols.split(' ')) add(counts.protocol, name, count)
        item.hidden = !(isKept && isOfProtocol && levels.has(level))
        if (!item.hidden) own += count
      }
      shown += own
      section.toggleAttribute('hidden', own === 0)
      entry?.toggleAttribute('hidden', own === 0)
      if (counter) counter.textContent = String(own)
    }
    for (const name of /** @type {const} */ (['level', 'protocol']))
      for (const count of form.querySelectorAll(`[data-${name}-count]`))
        count.textContent = String(counts[name].get(count.getAttribute(`data-${name}-count`) ?? '') ?? 0)
    if (status) status.textContent = shown === total ? `${shown} shown` : `${shown} of ${total} shown`
    nothing?.toggleAttribute('hidden', shown > 0 || all.length === 0)
  }

  /** The inputs of a form, without buttons. @param {HTMLFormElement} form */
  const inputsOf = (form) =>
    [...form.elements].flatMap((input) => (input instanceof HTMLInputElement ? [input] : []))

  /** What differs from the form as it was. @param {HTMLFormElement} form */
  const write = (form) => {
    const query = new URLSearchParams()
    for (const input of inputsOf(form)) {
      if (input.type === 'search' && input.value !== '') query.set(input.name, input.value)
      if (input.type === 'radio' && input.checked && input.value !== '') query.set(input.name, input.value)
      // An unticked level is left out, a ticked box of another kind is added.
      if (input.type === 'checkbox' && input.checked !== input.defaultChecked)
        query.append(input.defaultChecked ? `no-${input.name}` : input.name, input.value)
    }
    const text = query.toString()
    try {
      history.replaceState(null, '', `${location.pathname}${text === '' ? '' : `?${text}`}${location.hash}`)
    } catch {
      // A browser may refuse this for a page from a file, or if it happens too often.
    }
  }

  /** @param {HTMLFormElement} form */
  const read = (form) => {
    const query = new URLSearchParams(location.search)
    for (const input of inputsOf(form)) {
      const values = query.getAll(input.name)
      if (input.type === 'search') input.value = values[0] ?? ''
      if (input.type === 'radio') input.checked = input.value === (values[0] ?? '')
      if (input.type === 'checkbox')
        input.checked = input.defaultChecked
          ? !query.getAll(`no-${input.name}`).includes(input.value)
          : values.includes(input.value)
    }
  }

  if (form instanceof HTMLFormElement) {
    const apply = () => {
      filter(form)
      write(form)
    }
    let waiting = 0
    form.addEventListener('input', () => {
      cancelAnimationFrame(waiting)
      waiting = requestAnimationFrame(apply)
    })
    form.addEventListener('submit', (event) => event.preventDefault())
    form.addEventListener('reset', () => setTimeout(apply))
    document.addEventListener('duet-filter', () => filter(form))
    // A link to a change that the filters hide shows it without them.
    const reveal = () => {
      const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
      if (target === null || target.closest('[hidden]') === null) return
      form.reset()
      setTimeout(() => target.scrollIntoView())
    }
    addEventListener('hashchange', reveal)
    if (location.search !== '') {
      read(form)
      filter(form)
      reveal()
    }
  }
}
