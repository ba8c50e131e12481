import {
  addressKey,
  type Connection,
  faultOf,
  hintOf,
  isSilent,
  keyOf,
  type Security,
  schemesOf,
  serverUrl,
} from './connection.js'
import { button, element, freshId } from './element.js'
import { type SignIn, signInOf } from './oauth.js'
import { type Settings, triedAt } from './page.js'

/** The dialog for the address and the credentials of all calls. */
export interface Authorize {
  /** For an operation: the field of its first scheme gets the focus, and the scopes that it needs are chosen. */
  open(security: Security): void
  /** A line for an operation's form: where its calls go, and with which of these credentials. It opens the dialog. */
  line(security: Security): HTMLElement
}

export function authorizeOf(settings: Settings, connection: Connection): Authorize {
  const inputs = new Map<string, HTMLInputElement>()
  const field = (key: string, label: string, type: 'text' | 'password', hint: string): HTMLElement => {
    const input = element('input', {
      ...{ type, id: freshId(), placeholder: hint, autocomplete: 'off', spellcheck: 'false' },
    })
    input.value = connection.value(key)
    input.addEventListener('input', () => connection.set(key, input.value))
    inputs.set(key, input)
    return element('div', { class: 'field' }, element('label', { for: input.id }, label), input)
  }
  const schemes = Object.entries(settings.securitySchemes).filter(([, scheme]) => !isSilent(scheme))
  const signIns = new Map<string, SignIn>()
  const fields = schemes.flatMap(([name, scheme]) => {
    const signIn = signInOf(name, scheme, (token) => put(keyOf(name), token))
    if (signIn !== undefined) signIns.set(name, signIn)
    return [field(keyOf(name), name, 'password', hintOf(scheme)), ...(signIn?.elements ?? [])]
  })
  const place = addressField()
  const title = element('h2', { id: freshId() }, 'Authorize')
  const dialog = element(
    'dialog',
    { class: 'dialog', 'aria-labelledby': title.id },
    element(
      'form',
      { method: 'dialog', class: 'panel' },
      title,
      ...serverPicker(),
      place,
      ...fields,
      element('p', { class: 'hint-line' }, 'Stored only in this tab; cleared on reload'),
      element(
        'div',
        { class: 'actions' },
        element('button', { class: 'primary', value: 'done' }, 'Done'),
        button('Clear', () => {
          for (const [name] of schemes) put(keyOf(name), '')
        }),
      ),
    ),
  )
  document.body.append(dialog)
  // A press outside of the dialog is on the dialog itself.
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close()
  })
  const open = (scheme: string | undefined, called: readonly Security[]) => {
    for (const [name, { choose }] of signIns)
      for (const security of called) choose(security.find((each) => Object.hasOwn(each, name))?.[name] ?? [])
    if (!dialog.open) dialog.showModal()
    inputs.get(scheme === undefined ? '' : keyOf(scheme))?.focus()
  }
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || target.closest('[data-authorize]') === null) return
    const places = [...document.querySelectorAll('[data-console]')]
    open(
      schemes[0]?.[0],
      places.flatMap((place) => [triedAt(place)?.operation.security ?? []]),
    )
  })
  const sentOf = (security: Security) =>
    schemesOf(security).filter((name) => schemes.some(([known]) => known === name))
  const mark = () => {
    const isReady = schemes.some(([name]) => connection.value(keyOf(name)) !== '')
    for (const each of document.querySelectorAll('.bar [data-authorize]'))
      each.toggleAttribute('data-ready', isReady)
  }
  connection.onChange(mark)
  return {
    open: (security) => open(sentOf(security)[0], [security]),
    line(security) {
      const wanted = sentOf(security)
      const line = button('', () => open(wanted[0], [security]), 'connection')
      const update = () => {
        const set = wanted.filter((name) => connection.value(keyOf(name)) !== '')
        const host = connection.value(addressKey).replace(/^https?:\/\//, '')
        const credentials =
          wanted.length === 0 ? '' : set.length === 0 ? ' · no credentials yet' : ` · ${set.join(', ')} set`
        line.textContent = `${host === '' ? 'No address' : host}${credentials}`
        line.classList.toggle('is-missing', wanted.length > 0 && set.length === 0)
      }
      update()
      connection.onChange(update)
      return line
    },
  }

  function put(key: string, value: string): void {
    const input = inputs.get(key)
    if (input !== undefined) input.value = value
    connection.set(key, value)
  }

  function addressField(): HTMLElement {
    const found = field(addressKey, 'Base URL', 'text', 'http://127.0.0.1:8080')
    const wrong = element('p', { class: 'wrong', id: freshId(), role: 'alert' })
    found.append(wrong)
    const input = inputs.get(addressKey)
    input?.setAttribute('aria-describedby', wrong.id)
    const check = () => {
      const address = connection.value(addressKey)
      // The start page has a field for it, too.
      if (input !== undefined && input.value.trim() !== address) input.value = address
      wrong.textContent = faultOf(() => connection.address())
      input?.setAttribute('aria-invalid', String(wrong.textContent !== ''))
    }
    check()
    connection.onChange(check)
    return found
  }

  /** The page's own base URL and the document's servers, with fields for variables that take any value. */
  function serverPicker(): HTMLElement[] {
    const own = connection.value(addressKey)
    const stated = settings.servers
      .flatMap((server) => {
        const url = serverUrl(server.url)
        return url === undefined ? [] : [{ ...server, url }]
      })
      .filter(({ url }, index, all) => all.findIndex((one) => one.url === url) === index)
    const isStated = stated.some(({ url }) => url === own)
    const options = isStated ? stated : [{ url: own, description: 'this page' }, ...stated]
    if (options.length < 2 && options[0]?.template === undefined) return []
    const select = element(
      'select',
      { id: freshId() },
      ...options.map(({ url, description }) =>
        element('option', { value: url }, description === '' ? url : `${url}, ${description}`),
      ),
      element('option', { value: '' }, 'Another address'),
    )
    const parts = element('div', { class: 'panel' })
    let filled = ''
    const choose = (address: string) => {
      const { template = '', variables = {} } = options.find(({ url }) => url === address) ?? {}
      const typed = new Map(Object.entries(variables))
      const fields = Object.keys(variables).map((name) => {
        const input = element('input', { id: freshId(), autocomplete: 'off', spellcheck: 'false' })
        input.value = typed.get(name) ?? ''
        input.addEventListener('input', () => {
          typed.set(name, input.value.trim())
          const url = template.replaceAll(/\{([^{}]*)\}/g, (_, one: string) => typed.get(one) ?? '')
          filled = serverUrl(url) ?? url
          put(addressKey, filled)
        })
        return element('div', { class: 'field' }, element('label', { for: input.id }, name), input)
      })
      parts.replaceChildren(...fields)
      parts.hidden = fields.length === 0
    }
    select.value = own
    choose(own)
    select.addEventListener('change', () => {
      choose(select.value)
      if (select.value === '') inputs.get(addressKey)?.focus()
      else put(addressKey, select.value)
    })
    connection.onChange(() => {
      const address = connection.value(addressKey)
      if (address === filled || address === select.value) return
      select.value = options.some(({ url }) => url === address) ? address : ''
      choose(select.value)
    })
    return [element('div', { class: 'field' }, element('label', { for: select.id }, 'Server'), select), parts]
  }
}
