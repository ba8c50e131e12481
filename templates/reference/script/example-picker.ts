import { aboutOf, element, freshId } from './element.js'
import type { NamedExample } from './page.js'

/** A list of the document's requests that a form can begin with. Nothing if there is no choice. */
export function examplePicker(
  examples: readonly NamedExample[],
  pick: (example: NamedExample) => void,
): HTMLElement[] {
  if (examples.length === 0) return []
  const select = element('select', { id: freshId() })
  for (const [index, { label }] of examples.entries())
    select.append(element('option', { value: String(index) }, label))
  const about = element('div')
  const describe = () =>
    about.replaceChildren(...[aboutOf(chosen()?.description)].flatMap((one) => one ?? []))
  const chosen = () => examples[Number(select.value)]
  select.addEventListener('input', (event) => {
    // It is no field of the form, which would take it for an edit.
    event.stopPropagation()
    const example = chosen()
    describe()
    if (example !== undefined) pick(example)
  })
  describe()
  const label = element('label', { for: select.id }, 'Example')
  return [element('div', { class: 'field' }, label, select, about)]
}
