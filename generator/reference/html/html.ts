import { createRequire } from 'node:module'
import type sanitize from 'sanitize-html'

/**
 * Markdown's HTML with the document's own elements cleaned: prose, lists, tables and code stay, with links to the web
 * and to mail. Everything else loses its tag; scripts and styles lose their content too.
 */
export function cleanHtml(html: string): string {
  cleaner ??= createRequire(import.meta.url)('sanitize-html') as typeof sanitize
  return cleaner(html, options)
}

/** Loaded for the first description with an element: most documents have none. */
let cleaner: typeof sanitize | undefined

const options: sanitize.IOptions = {
  allowedTags: (
    'p br hr a strong b em i u s del ins sub sup code pre kbd samp ul ol li dl dt dd blockquote table thead tbody ' +
    'tr th td span div'
  ).split(' '),
  allowedAttributes: { a: ['href', 'rel'], ol: ['start'], p: ['class'] },
  allowedClasses: { p: ['said-heading'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  enforceHtmlBoundary: false,
  transformTags: {
    a: (_, { href = '' }): sanitize.Tag =>
      isOutside(href)
        ? { tagName: 'a', attribs: { href, rel: 'noopener noreferrer' } }
        : { tagName: 'span', attribs: {} },
    ...Object.fromEntries(
      ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [
        name,
        (): sanitize.Tag => ({ tagName: 'p', attribs: { class: 'said-heading' } }),
      ]),
    ),
  },
}

/** Whether a link leads to the web or to mail: a relative one would lead into the reference. */
export function isOutside(url: string): boolean {
  return /^(https?:\/\/[^\s]|mailto:)/i.test(url)
}

/** The names of all tags that have an end. */
export function endedTags(html: string): ReadonlySet<string> {
  return new Set(Array.from(html.matchAll(/<\/([a-z][^\s/>]*)/gi), ([, name = '']) => name.toLowerCase()))
}

/** Shows a tag that HTML does not have as text, unless it has an end: `<api_key>` is a placeholder. */
export function withoutPlaceholders(html: string, ended: ReadonlySet<string>): string {
  return html.replaceAll(/<\/?([a-z][^\s/>]*)[^>]*>/gi, (tag, written: string) => {
    const name = written.toLowerCase()
    return elements.has(name) || ended.has(name) ? tag : tag.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  })
}

/** The elements of HTML, and those of its past. */
const elements = new Set(
  (
    'a abbr acronym address applet area article aside audio b base basefont bdi bdo big blink blockquote body br button ' +
    'canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed ' +
    'fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe ' +
    'img input ins isindex kbd label legend li link listing main map mark marquee math menu meta meter nav nobr noembed ' +
    'noframes noscript object ol optgroup option output p param picture plaintext portal pre progress q rb rp rt rtc ' +
    'ruby s samp script search section select slot small source span strike strong style sub summary sup svg table ' +
    'tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp'
  ).split(' '),
)
