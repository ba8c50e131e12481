import MarkdownIt from 'markdown-it'

/**
 * Converts CommonMark in a document's descriptions to HTML. Markup stays text, images are not loaded, and
 * links lead only to web and mail addresses: a relative link would lead into the reference.
 */
export function markdownHtml(text: string): string {
  const trimmed = text.trim()
  return plainSentence.test(trimmed) ? `<p>${trimmed}</p>\n` : blocks(text)
}

/** The same without paragraphs, for a table cell. */
export function inlineHtml(text: string): string {
  const line = text.replaceAll(/\s*\n\s*/g, ' ').trim()
  return plainText.test(line) ? line : inline(line)
}

// Most texts contain nothing that Markdown or HTML interprets, and need no parser.
const plainText = /^[^\\`*_[\]<>&!~"\r\n\0]*$/
const plainSentence = /^[A-Za-z][^\\`*_[\]<>&!~"|\r\n\t\0]*$/

const blocks = lastly((text) => renderer.render(text))
const inline = lastly((text) => renderer.renderInline(text))

const renderer = new MarkdownIt('default', { html: false, linkify: false, typographer: false })
renderer.disable('image')
renderer.validateLink = (url) => /^(https?:\/\/|mailto:)/i.test(url)
// The page has its own outline, which headings in a description would disrupt.
renderer.renderer.rules.heading_open = () => '<p class="said-heading">'
renderer.renderer.rules.heading_close = () => '</p>'
renderer.renderer.rules.link_open = (tokens, index, options, _, self) => {
  tokens[index]?.attrSet('rel', 'noopener noreferrer')
  return self.renderToken(tokens, index, options)
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
