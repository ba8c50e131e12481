// Copies the text next to a button. Without this script, a click selects the text for copying by hand.
for (const button of document.querySelectorAll('[data-copy]')) {
  if (!(button instanceof HTMLButtonElement)) continue
  button.addEventListener('click', async () => {
    const field = document.getElementById(button.dataset.copy ?? '')
    const status = document.querySelector('[data-copied]')
    if (field === null) return
    if (field instanceof HTMLInputElement) field.select()
    else getSelection()?.selectAllChildren(field)
    let said = 'Copied.'
    try {
      await navigator.clipboard.writeText(field instanceof HTMLInputElement ? field.value : field.innerText)
    } catch {
      // Browsers offer the clipboard only to secure pages and to those from this machine.
      said = 'Selected: copy it with your keyboard.'
    }
    if (status !== null) status.textContent = said
  })
}

// Sends a form once on a double click.
{
  /** @type {EventTarget | null} */
  let last = null
  let at = 0
  document.addEventListener('submit', (event) => {
    if (event.target === last && event.timeStamp - at < 1000) event.preventDefault()
    else [last, at] = [event.target, event.timeStamp]
  })
}

// Restores typed but unsaved input on the form's page: after signing in again, or by the link on an error
// page. Until then this tab keeps it, except passwords. The input belongs to the user who typed it: after
// another user signs in, it is neither shown nor sent.
{
  const key = 'billing-admin-typed'
  const who = document.querySelector('[data-viewer]')?.getAttribute('data-viewer')
  const isBetween =
    location.pathname === '/admin/sign-in' || document.querySelector('[data-unsaved]') !== null
  try {
    const typed = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    if (!isBetween) {
      sessionStorage.removeItem(key)
      if (typed?.isLost && typed.who === who) putBack(typed)
      document.addEventListener('submit', ({ target }) => keep(target))
    } else if (typed !== null) {
      sessionStorage.setItem(key, JSON.stringify({ ...typed, isLost: true }))
    }
  } catch {
    // Storage may be blocked.
  }

  /** @param {HTMLFormElement} form */
  function fieldsOf(form) {
    const all = /** @type {HTMLInputElement[]} */ ([...form.elements])
    return all.filter(
      ({ name, type }) => name !== '' && name !== 'form_token' && !['password', 'submit'].includes(type),
    )
  }

  /** @param {EventTarget | null} form */
  function keep(form) {
    if (!(form instanceof HTMLFormElement) || form.method !== 'post' || form.closest('main') === null) return
    const fields = fieldsOf(form)
    if (fields.every(({ type }) => type === 'hidden')) return
    const values = fields.map(({ name, type, value, checked }) => [
      name,
      type === 'checkbox' ? checked : value,
    ])
    sessionStorage.setItem(key, JSON.stringify({ who, action: form.action, values }))
  }

  /** @param {{ action: string, values: [string, any][] }} typed */
  function putBack({ action, values }) {
    const form = [...document.forms].find((one) => one.method === 'post' && one.action === action)
    if (form === undefined) return
    const known = new Map(values)
    // Restores the version too, so that the form does not overwrite another user's later change.
    for (const field of fieldsOf(form)) {
      if (!known.has(field.name)) continue
      if (field.type === 'checkbox') field.checked = known.get(field.name)
      else field.value = known.get(field.name)
    }
    const notice = document.createElement('p')
    notice.className = 'notice is-info'
    notice.setAttribute('role', 'status')
    const passwords = form.querySelector('[type="password"]') === null ? '' : ' except for passwords,'
    notice.textContent = `What you typed is back,${passwords} and not saved yet.`
    form.prepend(notice)
  }
}
