/** The box above a list hides what does not have each of its words. */
export function prepareFilter(): void {
  document.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.dataset.filter === undefined) return
    const words = target.value.toLowerCase().split(/\s+/).filter(Boolean)
    const items = document.querySelectorAll<HTMLElement>(`#${CSS.escape(target.dataset.filter)} > li`)
    let shown = 0
    for (const item of items) {
      const text = item.textContent.toLowerCase()
      item.hidden = !words.every((word) => text.includes(word))
      if (!item.hidden) shown += 1
    }
    const status = target.parentElement?.querySelector('[role="status"]')
    if (status) status.textContent = words.length === 0 ? '' : `${shown} of ${items.length}`
  })
}
