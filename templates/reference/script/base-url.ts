import { inShell } from '../../../generator/reference/samples/in-shell.js'
import { addressKey, type Connection, faultOf, isOnlyLocal, serverUrl } from './connection.js'

/** The start page's base URL, its field, and that of its first call are those that the page's calls have. */
export function showBaseUrl(content: ParentNode, connection: Connection): void {
  const input = content.querySelector<HTMLInputElement>('#base-url')
  const update = () => {
    const address = connection.value(addressKey)
    const fault = faultOf(() => connection.address())
    if (input !== null) {
      // A reader may be typing a space at the end.
      if (input.value.trim() !== address) input.value = address
      input.setAttribute('aria-invalid', String(fault !== ''))
      input.parentElement?.querySelector('.wrong')?.replaceChildren(fault)
    }
    if (fault !== '') return
    for (const place of content.querySelectorAll<HTMLElement>('[data-server]')) {
      const url = serverUrl(place.dataset.server ?? '')
      // The document's server of a developer's own machine is another one there.
      place.hidden = url !== address && url !== undefined && isOnlyLocal(url)
    }
    const shown = inShell(address)
    for (const block of content.querySelectorAll<HTMLElement>('[data-base]')) {
      const code = block.querySelector('code')
      if (code === null) continue
      code.textContent = (code.textContent ?? '').replaceAll(block.dataset.base ?? '', () => shown)
      block.dataset.base = shown
    }
  }
  update()
  input?.addEventListener('input', () => connection.set(addressKey, input.value))
  connection.onChange(update)
}
