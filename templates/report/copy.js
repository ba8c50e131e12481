// Copies proofs, and entries for a file of waivers.
{
  const { from = '', to = '' } = document.querySelector('main')?.dataset ?? {}
  const operations = [...document.querySelectorAll('#operations option')].map(
    (option) => option.textContent ?? '',
  )

  /** @param {string} ranges indexes of operations: `0-12 40` */
  const namesIn = (ranges) =>
    ranges.split(' ').flatMap((range) => {
      const [first = Number.NaN, last = first] = range === '' ? [] : range.split('-').map(Number)
      return operations.filter((_, index) => first <= index && index <= last)
    })

  /** A text in YAML, as `duet diff --format waivers` writes it. @param {string} text */
  const scalar = (text) =>
    /^[A-Za-z]\w*(\.\w+)+$|^\d+\.\d+\.\d+(-[A-Za-z0-9.-]+)?$/.test(text)
      ? text
      : JSON.stringify(text).replaceAll(/\p{C}/gu, '\\ufffd')

  /** @param {readonly string[]} names */
  const operationLines = (names) => {
    if (names.length < 2) return names.map((name) => `  operation: ${scalar(name)}\n`)
    return ['  operation:\n', ...names.map((name) => `    - ${scalar(name)}\n`)]
  }

  /** @param {readonly string[]} part */
  const entry = ([fingerprint = '', id = '', message = '', ranges = '']) =>
    [
      `- fingerprint: '${fingerprint}' # ${message}\n  id: ${id}\n`,
      ...operationLines(namesIn(ranges)),
      `  from: ${scalar(from)}\n  to: ${scalar(to)}\n  owner:\n  reason:\n  expires:\n`,
    ].join('')

  /** @param {Element} button */
  const textFor = (button) => {
    const waiver = button.getAttribute('data-waiver')
    if (waiver === null) return button.closest('.call')?.querySelector('code')?.textContent ?? ''
    return JSON.parse(waiver).map(entry).join('')
  }

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

  /** The labels of buttons that say `Copied` for a while. @type {WeakMap<Node, string>} */
  const labels = new WeakMap()
  document.addEventListener('click', async (event) => {
    const button = event.target instanceof Element ? event.target.closest('[data-copy], [data-waiver]') : null
    if (!(button instanceof HTMLButtonElement)) return
    await copy(textFor(button))
    button.focus()
    // What it says to screen readers alone stays.
    const said = button.firstChild
    if (said === null) return
    const label = labels.get(said) ?? said.nodeValue ?? ''
    labels.set(said, label)
    said.nodeValue = 'Copied'
    setTimeout(() => {
      said.nodeValue = label
    }, 1500)
  })
}
