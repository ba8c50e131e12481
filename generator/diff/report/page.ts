import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type Handlebars from 'handlebars'

/**
 * A self-contained page of duet-templates: its style and script stand in it, and its Content-Security-Policy lets nothing else run or
 * load. All text is escaped.
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

/** Most reviews are no page: what fills templates in is loaded for one. */
const require = createRequire(import.meta.url)

function template(path: string): string {
  return readFileSync(require.resolve(`duet-templates/${path}`), 'utf8')
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
