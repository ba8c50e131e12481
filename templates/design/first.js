// Runs before the first paint, so that nothing moves or changes its colours later.
{
  const root = document.documentElement
  root.classList.add('scripted')
  try {
    const chosen = localStorage.getItem('duet-theme')
    if (chosen === 'light' || chosen === 'dark') root.dataset.theme = chosen
  } catch {
    // A page from a file may have no storage; then the system's choice applies.
  }
}
