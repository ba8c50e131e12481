import { createHash } from 'node:crypto'

/** A page in place of a problem, for people who follow a link. */
export interface FailurePage {
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** @param links where a reader can go on: addresses on this host, with their names and what is there */
export function failurePage(
  heading: string,
  detail: string,
  links: Readonly<Record<string, { readonly name: string; readonly text: string }>>,
): FailurePage {
  const items = Object.entries(links).map(
    ([href, { name, text }]) =>
      `<li><a href="${escaped(href)}">${escaped(name)}</a><span>${escaped(text)}</span></li>\n`,
  )
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(heading)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(heading)}</h1>
<p>${escaped(detail)}</p>
<h2>Go on with</h2>
<ul>
${items.join('')}</ul>
</main>
</body>
</html>
`
  return { contentType: 'text/html; charset=utf-8', headers: HEADERS, text }
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** The colours and sizes of the design that all pages share. */
const STYLE =
  ':root{color-scheme:light dark}body{margin:0;font:15px/1.5 system-ui,sans-serif;background:light-dark(#fff,#15171b);color:light-dark(#1c2026,#e6e9ed)}a{color:light-dark(#0b57a4,#82b8ff);font-weight:600;display:block}main{max-width:30rem;margin:4rem auto;padding:0 1rem;overflow-wrap:anywhere}h1{font-size:1.625rem;line-height:1.2;margin:0 0 .5rem}h2{font-size:.8125rem;font-weight:600;margin:2rem 0 .5rem;color:light-dark(#57606b,#a3abb6)}p{margin:0}ul{list-style:none;margin:0;padding:0;border-block-start:1px solid light-dark(#dfe3e8,#30353d)}li{padding-block:.75rem;border-block-end:1px solid light-dark(#dfe3e8,#30353d)}span{color:light-dark(#57606b,#a3abb6)}'

const HEADERS = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  'referrer-policy': 'no-referrer',
}
