import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { generatedDirectory } from '../settings/versions.js'
import { once, type Page, textWithTag } from './page.js'

/** The reference files of a version by URL path: `/reference/`, whose index is also at `/`. */
export function referenceFiles(version: string, directory = generatedDirectory()): ReadonlyMap<string, Page> {
  const files = new Map<string, Page>()
  const folder = join(directory, version, 'reference')
  if (!existsSync(folder)) return files
  for (const name of readdirSync(folder)) {
    const type = types.get(extname(name))
    if (type === undefined) continue
    const file = { type, headers: headersOf(type), content: reader(join(folder, name)) }
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

const types = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
])

function headersOf(type: string): Page['headers'] {
  return {
    'cache-control': 'no-cache',
    ...(type.startsWith('text/html') && { 'content-security-policy': policy }),
  }
}

/** The Content-Security-Policy of the pages themselves, plus frame-ancestors, which only a header can set. */
const policy =
  "default-src 'none'; frame-ancestors 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src *; " +
  "base-uri 'self'; form-action 'none'"

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
