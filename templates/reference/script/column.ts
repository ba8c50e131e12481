/**
 * Lets the first column of calls end with the window while the title of the page is above it, so that Send is in view
 * before a reader scrolls. Call it whenever the page moves.
 */
export function fitFirstColumn(): void {
  const column = document.querySelector<HTMLElement>('.intro + .operation .console')
  if (column === null) return
  const { top } = column.getBoundingClientRect()
  column.style.setProperty('--column-top', `${Math.min(top, innerHeight - leastHeight)}px`)
}

/** Room for the protocols and Send, in pixels, where the text above leaves none in the window. */
const leastHeight = 160
