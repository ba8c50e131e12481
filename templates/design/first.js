// Runs before anything is shown, so that nothing moves or changes its colours once it is.
{
  const root = document.documentElement
  root.classList.add('scripted')
  try {
    const chosen = localStorage.getItem('duet-theme')
    if (chosen === 'light' || chosen === 'dark') root.dataset.theme = chosen
  } catch {
    // A page from a file may be kept from storage; then the system's choice holds.
  }
}
