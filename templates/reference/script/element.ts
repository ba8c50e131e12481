import { directionParts } from '../../../generator/reference/html/right-to-left.js'

/** Creates an element with attributes and content; text is never parsed as markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | boolean>> = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, '')
    else if (value !== false) made.setAttribute(key, value)
  }
  made.append(...content)
  return made
}

export function button(
  text: string,
  press: (event: MouseEvent) => unknown,
  className = '',
): HTMLButtonElement {
  const made = element('button', { type: 'button', ...(className !== '' && { class: className }) }, text)
  made.addEventListener('click', press)
  return made
}

/** Moves the focus, so that a screen reader continues there. */
export function focusOn(place: HTMLElement | null): void {
  place?.setAttribute('tabindex', '-1')
  place?.focus({ preventScroll: true })
}

/** The description of a field, as the HTML that the generator made of it. Undefined if there is none. */
export function aboutOf(description: unknown): HTMLElement | undefined {
  if (typeof description !== 'string' || description === '') return undefined
  const { body } = new DOMParser().parseFromString(description, 'text/html')
  return element('div', { class: 'about-field', id: freshId() }, ...body.childNodes)
}

/** Code or a path, whose words from right to left affect nothing around them. */
export function isolated(text: string): (Node | string)[] {
  return directionParts(text).map((part, index) => (index % 2 === 0 ? part : element('bdi', {}, part)))
}

let count = 0

/** An id that is unique on the page. */
export function freshId(): string {
  count += 1
  return `try-${count}`
}
