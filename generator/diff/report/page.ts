import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type Handlebars from 'handlebars'

/**
 * A self-contained page from duet-templates with its style and script inline. Its Content-Security-Policy allows
 * nothing else to run or load. All text is escaped.
 */
export function page(name: 'report' | 'changelog', data: object): string {
  const { create }: typeof Handlebars = require('handlebars')
  const handlebars = create()
  const styles = ['design/tokens.css', 'design/base.css', 'design/page.css', `${name}/${name}.css`]
  const style = `\n${styles.map(template).join('\n')}`
  const script = `\n${[...(name === 'report' ? ['report/report.js'] : []), 'design/theme.js'].map(template).join('\n')}`
  for (const partial of ['design/head', 'design/theme', ...(name === 'report' ? ['report/change'] : [])])
    handlebars.registerPartial(partial, template(`${partial}.hbs`))
  const render = handlebars.compile(template(`${name}/${name}.hbs`), { preventIndent: true })
  return render({ ...data, style, styleHash: hash(style), script, scriptHash: hash(script) })
}

/** Most reviews need no page, so Handlebars is loaded on demand. */
const require = createRequire(import.meta.url)

function template(path: string): string {
  return readFileSync(require.resolve(`duet-templates/${path}`), 'utf8')
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
