/** What a reader chooses once for all pages. Kept in the browser's storage, unlike credentials. */
const kinds = ['protocol', 'language'] as const
type Kind = (typeof kinds)[number]

const listeners: (() => void)[] = []

/** The chosen protocol: `rest`, `jsonrpc` or `mcp`. */
export function chosenProtocol(): string {
  return document.documentElement.dataset.protocol ?? 'rest'
}

export function onChoice(listen: () => void): void {
  listeners.push(listen)
}

function choose(kind: Kind | 'provenance', value: string): void {
  document.documentElement.dataset[kind] = value
  try {
    localStorage.setItem(`duet-${kind}`, value)
  } catch {
    // A page from a file may be kept from storage; then the choice lasts as long as the page.
  }
  markChoices(document)
  for (const listen of listeners) listen()
}

/** Marks the chosen buttons of some content. */
export function markChoices(content: ParentNode): void {
  const { dataset } = document.documentElement
  for (const kind of kinds)
    for (const button of content.querySelectorAll(`[data-choose-${kind}]`))
      button.setAttribute(
        'aria-pressed',
        String(button.getAttribute(`data-choose-${kind}`) === dataset[kind]),
      )
  const box = document.querySelector<HTMLInputElement>('[data-provenance][type="checkbox"]')
  if (box !== null) box.checked = dataset.provenance === 'on'
}

/** Buttons and the switch of every page. The pressed element stays under the pointer. */
export function prepareChoices(): void {
  document.addEventListener('click', ({ target }) => {
    const pressed = target instanceof Element ? target.closest<HTMLElement>('button') : null
    for (const kind of kinds) {
      const value = pressed?.getAttribute(`data-choose-${kind}`)
      if (!pressed || !value) continue
      const { top } = pressed.getBoundingClientRect()
      choose(kind, value)
      scrollBy(0, pressed.getBoundingClientRect().top - top)
    }
  })
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches('[data-provenance]'))
      choose('provenance', target.checked ? 'on' : 'off')
  })
}
