// The switch between light and dark; the system's choice until a reader makes one.
{
  const root = document.documentElement
  root.classList.add('scripted')
  const select = document.querySelector('[data-theme-switch]')
  if (select instanceof HTMLSelectElement) {
    const choose = () => {
      if (select.value === 'system') delete root.dataset.theme
      else root.dataset.theme = select.value
    }
    try {
      select.value = localStorage.getItem('duet-theme') ?? 'system'
    } catch {
      // A page from a file may be kept from storage; then the choice lasts as long as the page.
    }
    if (select.selectedIndex === -1) select.value = 'system'
    choose()
    select.addEventListener('change', () => {
      choose()
      try {
        localStorage.setItem('duet-theme', select.value)
      } catch {
        // As above.
      }
    })
  }
}
