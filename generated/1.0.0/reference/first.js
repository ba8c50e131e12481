// Runs before anything is shown, so that nothing that is shown moves or changes its colours.
{
  const root = document.documentElement
  root.classList.add('scripted')
  try {
    const theme = localStorage.getItem('duet-theme')
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
  } catch {
    // A page from a file may be kept from storage.
  }
}
