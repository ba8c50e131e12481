import { createHash } from 'node:crypto'
import { escaped } from './page.js'

/** The page for an address at which nothing is served. */
export function missingPage(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Page not found · ${escaped(title)}</title>
<style>${missingStyle}</style>
</head>
<body>
<main>
<h1>Page not found</h1>
<p>Nothing is served at this address.</p>
<ul>
<li><a href="/">Reference of ${escaped(title)}</a></li>
<li><a href="/admin/">Administration</a></li>
</ul>
</main>
</body>
</html>
`
}

const missingStyle =
  ':root{color-scheme:light dark}body{margin:0;font:15px/1.5 system-ui,sans-serif;background:light-dark(#fff,#15171b);color:light-dark(#1c2026,#e6e9ed)}a{color:light-dark(#0b57a4,#82b8ff)}main{max-width:26rem;margin:4rem auto;padding:0 1rem}h1{font-size:1.625rem;line-height:1.2}ul{padding-left:1.25rem}li{padding-block:.25rem}'

export const missingHeaders = {
  'cache-control': 'no-cache',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(missingStyle).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  'referrer-policy': 'no-referrer',
}
