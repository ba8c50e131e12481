import { batchOf } from './batch.js'
import { connectionOf } from './connection.js'
import { foldMenu, prepareSamples, switchVersions } from './menus.js'
import { prepareNavigation } from './navigation.js'
import { settingsOf, triedAt } from './page.js'
import { panelOf } from './panel.js'
import { prepareSearch } from './search.js'
import { markServed } from './served.js'

const settings = settingsOf(document)
let prepare = (content: ParentNode): void => prepareSamples(content)
if (settings !== undefined) {
  const connection = connectionOf(settings)
  const batch = batchOf(connection, document.body)
  markServed(settings)
  prepare = (content) => {
    prepareSamples(content)
    for (const place of content.querySelectorAll<HTMLDetailsElement>('[data-try]')) {
      // An operation's form is created when a reader opens it: a page may have hundreds.
      const fill = (): void => {
        const tried = triedAt(place)
        if (place.open && place.children.length === 1 && tried !== undefined)
          place.append(panelOf(tried, connection, batch))
      }
      place.addEventListener('toggle', fill)
      fill()
    }
  }
}
prepare(document)
const fold = foldMenu()
switchVersions()
prepareSearch(
  prepareNavigation(() => {
    prepare(document)
    fold()
  }),
)
