import MarkdownIt from 'markdown-it'
import { cleanHtml, endedTags, isOutside, withoutPlaceholders } from './html.js'

/**
 * Converts CommonMark in a document's descriptions to HTML. Its HTML is cleaned, images become links
 * with their alternative text, and links lead only to web and mail addresses: a relative link would lead into the reference, and stays text.
 */
export function markdownHtml(text: string): string {
  const trimmed = text.trim()
  return plainSentence.test(trimmed) && !trimmed.includes('://') ? `<p>${trimmed}</p>\n` : blocks(text)
}

/** The same without paragraphs, for a table cell. */
export function inlineHtml(text: string): string {
  const line = text.replaceAll(/\s*\n\s*/g, ' ').trim()
  return plainText.test(line) && !line.includes('://') ? line : inline(line)
}

/** The same for a link, which cannot contain links. */
export function linkHtml(text: string): string {
  return inlineHtml(text).replaceAll(/<\/?a\b[^>]*>/g, '')
}

/** The words alone, for a list that shows no HTML. */
export function wordsOf(text: string): string {
  const words = inlineHtml(text).replaceAll(/<[^>]*>/g, '')
  return words.replaceAll(/&(amp|lt|gt|quot);/g, (_, name: string) => characters[name] ?? '')
}

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

// Most texts contain nothing that Markdown or HTML interprets, and need no parser.
const plainText = /^[^\\`*_[\]<>&!~"\r\n\0]*$/
const plainSentence = /^[A-Za-z][^\\`*_[\]<>&!~"|\r\n\t\0]*$/

const blocks = lastly((text) => cleaned(text, renderer.render(text)))
const inline = lastly((text) => cleaned(text, renderer.renderInline(text)))

/** Without a `<` in the text, all elements are Markdown's. */
function cleaned(text: string, html: string): string {
  return text.includes('<') ? cleanHtml(html) : html
}

const renderer = new MarkdownIt('default', { html: true, linkify: true, typographer: false })
renderer.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
renderer.validateLink = () => true
// The page has its own outline, which headings in a description would disrupt.
renderer.renderer.rules.heading_open = () => '<p class="said-heading">'
renderer.renderer.rules.heading_close = () => '</p>'
// Links cannot contain links, so the next end is that of this one.
renderer.renderer.rules.link_open = (tokens, index, options, _, self) => {
  const link = tokens[index]
  const href = String(link?.attrGet('href') ?? '')
  if (isOutside(href)) link?.attrSet('rel', 'noopener noreferrer')
  else {
    const end = tokens.slice(index).find(({ type }) => type === 'link_close')
    for (const token of [link, end]) if (token) Object.assign(token, { tag: 'span', attrs: null })
  }
  return self.renderToken(tokens, index, options)
}
// An image would be loaded from elsewhere. Within a link its text is enough, since links cannot contain links.
renderer.renderer.rules.image = (tokens, index) => {
  const image = tokens[index]
  const [address, text] = [String(image?.attrGet('src') ?? ''), image?.content ?? '']
  const { escapeHtml } = renderer.utils
  const before = tokens.slice(0, index)
  const isLinked = before.findLast(({ type }) => /^link_/.test(type))?.type === 'link_open'
  if (isLinked || !isOutside(address)) return escapeHtml(text)
  return `<a href="${escapeHtml(address)}" rel="noopener noreferrer">${escapeHtml(text || address)}</a>`
}
const endedIn = new WeakMap<object, ReadonlySet<string>>()
for (const rule of ['html_inline', 'html_block'] as const)
  renderer.renderer.rules[rule] = (tokens, index) => {
    const ended = endedIn.get(tokens) ?? endedTags(tokens.map(({ content }) => content).join('\n'))
    endedIn.set(tokens, ended)
    return withoutPlaceholders(tokens[index]?.content ?? '', ended)
  }
// A column's alignment would be an inline style, which the pages' Content-Security-Policy refuses.
for (const cell of ['th_open', 'td_open'] as const) {
  renderer.renderer.rules[cell] = () => (cell === 'th_open' ? '<th>' : '<td>')
}

/** Caches the results of the last texts: documents repeat descriptions of parameters and fields. */
function lastly(render: (text: string) => string): (text: string) => string {
  let known = new Map<string, string>()
  return (text) => {
    const found = known.get(text) ?? render(text)
    if (known.size >= mostTexts) known = new Map()
    known.set(text, found)
    return found
  }
}

const mostTexts = 10_000
