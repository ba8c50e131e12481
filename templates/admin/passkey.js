// Asks the browser for a passkey before a form is sent, and sends what it answers in the form.
for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (!(form instanceof HTMLFormElement)) continue
  const status = form.querySelector('[data-passkey-status]')
  const answer = form.elements.namedItem('passkey')
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (!(answer instanceof HTMLInputElement)) return
    if (status !== null) status.textContent = ''
    // The device keeps what it creates, even if the form is refused afterwards.
    const name = form.elements.namedItem('passkey_name')
    if (name instanceof HTMLInputElement) {
      name.value = name.value.trim()
      if (!name.reportValidity()) return
    }
    const { startAuthentication, startRegistration } = Reflect.get(globalThis, 'SimpleWebAuthnBrowser')
    const ask = form.dataset.passkey === 'create' ? startRegistration : startAuthentication
    try {
      answer.value = JSON.stringify(await ask({ optionsJSON: JSON.parse(form.dataset.options ?? '{}') }))
      form.submit()
    } catch (error) {
      const isKnown = error instanceof Error && error.name === 'InvalidStateError'
      const said = isKnown ? 'This device has a passkey of yours already.' : 'No passkey was used. Try again.'
      if (status !== null) status.textContent = said
    }
  })
}
