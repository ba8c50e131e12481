/** The faults of a reference file generated from a hostile document. Empty if its text is inert. */
export function pageFaults(path: string, text: string): string[] {
  if (!/^reference\/[a-z0-9][a-z0-9._-]*\.(?:html|js|css)$/.test(path))
    return [`is called ${JSON.stringify(path)}`]
  if (path.endsWith('.html')) return [...markupFaults(text)]
  if (path !== 'reference/data.js') return []
  const json = /^globalThis\.duet = (\{[^<\u2028\u2029]*\})\n$/.exec(text)?.[1]
  if (json === undefined) return ['is more than one assignment']
  try {
    JSON.parse(json)
    return []
  } catch (error) {
    return [`assigns no JSON: ${String(error)}`]
  }
}

/** Every `<` must begin a tag that a template or Markdown writes, with known attributes. */
function* markupFaults(html: string): Generator<string> {
  const outside = html.replaceAll(
    /(<script type="application\/json"[^<>]*>)([^<]*)(?=<\/script>)/g,
    (_, tag, json) => {
      JSON.parse(json)
      return tag
    },
  )
  for (const { index } of outside.matchAll(/</g)) {
    const rest = outside.slice(index, index + 80)
    if (rest.startsWith('<!doctype html>\n')) continue
    tag.lastIndex = index
    const [, close, name = '', attributes = ''] = tag.exec(outside) ?? []
    if (!elements.has(name)) yield `has markup: ${rest}`
    if (close === '/' && attributes !== '') yield `has a strange end: ${rest}`
    for (const [, attribute = '', value = ''] of attributes.matchAll(/ ([a-z][a-z-]*)(?:="([^"]*)")?/g)) {
      if (!known.test(attribute)) yield `has an attribute ${attribute}: ${rest}`
      if (/^(href|src)$/.test(attribute) && !safe.test(value)) yield `leads to ${value}`
    }
  }
}

const tag = /<(\/?)([a-z][a-z0-9]*)((?: [a-z][a-z-]*(?:="[^"<>]*")?)*)>/y

const elements = new Set(
  (
    'html head meta title link script body a header p nav details summary span ul ol li div label input kbd select ' +
    'option main h1 h2 h3 section table thead tbody tr th td code pre dl dt dd strong em s hr br wbr bdi blockquote ' +
    'button b i u del ins sub sup samp'
  ).split(' '),
)
const known =
  /^(aria-[a-z]+|data-[a-z-]+|class|id|href|src|rel|role|type|lang|dir|disabled|charset|name|content|http-equiv|title|scope|tabindex|for|placeholder|autocomplete|spellcheck|hidden|open|popover|popovertarget|defer|value|start|blocking)$/
const safe = /^(https?:\/\/|mailto:|data:,$|#|\.\.\/|[a-z0-9][a-z0-9._-]*\.(?:html|js|css)(?:#|$))/i
