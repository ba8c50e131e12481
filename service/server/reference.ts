import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { referenceHeaders } from 'duet-runtime'
import { generatedDirectory } from '../settings/versions.js'
import { once, type Page, textWithTag } from './page.js'

/** The reference files of a version by URL path: `/reference/`, whose index is also at `/`. */
export function referenceFiles(version: string, directory = generatedDirectory()): ReadonlyMap<string, Page> {
  const files = new Map<string, Page>()
  const folder = join(directory, version, 'reference')
  if (!existsSync(folder)) return files
  for (const name of readdirSync(folder)) {
    const known = referenceHeaders(name)
    if (known === undefined) continue
    const { 'content-type': type, ...headers } = known
    const file = { type, headers, content: reader(join(folder, name)) }
    files.set(`/reference/${name}`, file)
    if (name !== 'index.html') continue
    const index = { ...file, content: reader(join(folder, name), withAdministration) }
    files.set(`/reference/${name}`, index)
    files.set('/reference/', index)
    // The links of the index are relative to its own path.
    files.set('/', {
      ...file,
      content: reader(join(folder, name), (html) => withBase(withAdministration(html))),
    })
  }
  return files
}

/** The API's document says where keys come from, and not where that is: only the service knows. */
function withAdministration(html: string): string {
  return html.replaceAll('from the administration area', 'from the <a href="/admin/">administration area</a>')
}

function withBase(html: string): string {
  return html.replace('<head>', '<head><base href="reference/">')
}

function reader(path: string, change = (text: string): string => text): Page['content'] {
  return once(() => textWithTag(change(readFileSync(path, 'utf8'))))
}
