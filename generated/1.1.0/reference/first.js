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

// What a reader has chosen on other pages, before anything is shown.
{
  const choices = [
    { name: 'protocol', known: /^(rest|jsonrpc|mcp)$/, usual: 'rest' },
    { name: 'language', known: /^(curl|client|fetch|python|go|http)$/, usual: 'curl' },
    { name: 'provenance', known: /^on$/, usual: 'off' },
  ]
  for (const { name, known, usual } of choices) {
    let chosen = usual
    try {
      chosen = localStorage.getItem(`duet-${name}`) ?? usual
    } catch {
      // A page from a file may be kept from storage; then each page begins with the usual choice.
    }
    document.documentElement.dataset[name] = known.test(chosen) ? chosen : usual
  }
}
