// Folding, links to single changes, and printing. Without these scripts, all content is readable and can be unfolded.
{
  const all = /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll('.change')])

  // On a small screen the changes come first.
  const fold = document.querySelector('[data-fold-small]')
  if (fold instanceof HTMLDetailsElement) fold.open = !matchMedia('(max-width: 60rem)').matches

  for (const button of document.querySelectorAll('[data-fold]'))
    button.addEventListener('click', () => {
      const open = button.getAttribute('data-fold') === 'open'
      // The filters hide rows. A question about the layout after each change would lay out the page each time.
      for (const change of all) if (change.closest('[hidden]') === null) change.open = open
    })

  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (target instanceof HTMLDetailsElement) target.open = true
  }
  addEventListener('hashchange', reveal)
  reveal()

  // Paper cannot unfold.
  /** @type {HTMLDetailsElement[]} */
  let folded = []
  addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll('details')].filter((one) => !one.open)
    for (const one of folded) one.open = true
  })
  addEventListener('afterprint', () => {
    for (const one of folded) one.open = false
  })
}
