import { authorizeOf } from './authorize.js'
import { showBaseUrl } from './base-url.js'
import { batchOf } from './batch.js'
import { markChoices, prepareChoices } from './choices.js'
import { fitFirstColumn } from './column.js'
import { connectionOf } from './connection.js'
import { prepareFilter } from './filter.js'
import { foldMenu, prepareBlocks, prepareMenus, switchVersions } from './menus.js'
import { prepareNavigation } from './navigation.js'
import { type Settings, settingsOf, triedAt } from './page.js'
import { panelOf, type Surroundings } from './panel.js'
import { responsesOf } from './responses.js'
import { samplesIn } from './samples.js'
import { movedTo, prepareSearch } from './search.js'
import { markServed } from './served.js'
import { markPlace, seek } from './spy.js'

// The script of a page of the reference: prepares its parts, and fills those that send calls when they come near.

const settings = settingsOf(document)
const surroundings = settings && surroundingsOf(settings)
const nearby = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) fill(target)
  },
  { rootMargin: '300px' },
)
// A print has each operation's call, as the screen has that of those that came near.
addEventListener('beforeprint', () => {
  for (const place of document.querySelectorAll('[data-console]')) fill(place)
})
addEventListener('scroll', fitFirstColumn, { passive: true })
addEventListener('resize', fitFirstColumn)
prepareChoices()
prepareMenus()
prepareFilter()
prepare(document)
const follow = () => {
  const moved = movedTo()
  if (moved !== undefined) location.replace(moved)
}
follow()
addEventListener('hashchange', () => {
  follow()
  seek()
})
const [visit] = performance.getEntriesByType('navigation')
// A reload returns to where the reader was, unless navigation has taken that over from the browser.
const isVisit = visit instanceof PerformanceNavigationTiming && visit.type === 'navigate'
seek(isVisit || history.scrollRestoration === 'manual')
const fold = foldMenu()
switchVersions()
prepareSearch(
  prepareNavigation(() => {
    prepare(document)
    fold()
  }),
)

function surroundingsOf(found: Settings): Surroundings {
  const connection = connectionOf(found)
  const authorize = authorizeOf(found, connection)
  markServed(found)
  return { settings: found, connection, authorize, batch: batchOf(connection, document.body) }
}

function prepare(content: ParentNode): void {
  markChoices(content)
  prepareBlocks(content)
  if (surroundings !== undefined) showBaseUrl(content, surroundings.connection)
  nearby.disconnect()
  for (const place of content.querySelectorAll('[data-console]')) {
    // A page may have hundreds of operations: the form of each is created when it comes near. The section is asked
    // for its place, since the browser would have to lay out what is in it.
    const section = place.closest('.operation') ?? place
    if (section.getBoundingClientRect().top < innerHeight) fill(place)
    else nearby.observe(place)
  }
  fitFirstColumn()
  markPlace(content)
  seek()
}

function fill(place: Element): void {
  nearby.unobserve(place)
  const [slot, samples, answers] = ['.try', '.samples', '.answers'].map((name) =>
    place.querySelector<HTMLElement>(name),
  )
  const tried = triedAt(place)
  if (!slot || !samples || !answers || !tried || !surroundings || slot.childElementCount > 0) return
  const responses = responsesOf(answers, tried.operation.errors, settings)
  const write = samplesIn(samples, tried, surroundings.settings)
  const panel = panelOf(tried, surroundings, write, responses)
  slot.append(panel.form)
  samples.append(...panel.requests)
  answers.querySelector('.card-head')?.after(...panel.responses)
  place.setAttribute('data-ready', '')
}
