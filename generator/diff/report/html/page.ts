import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type Handlebars from 'handlebars'
import { coded } from '../../../project/coded.js'

/**
 * A self-contained page from duet-templates with its style and script inline. Its Content-Security-Policy allows
 * nothing else to run or load. All text is escaped; `{{coded message}}` shows what is between backticks as code.
 */
export function page(name: 'report' | 'changelog', data: object): string {
  const { create }: typeof Handlebars = require('handlebars')
  const handlebars = create()
  const own = files[name]
  const common = ['design/tokens.css', 'design/base.css', 'design/page.css']
  const style = `\n${[...common, ...own.styles].map(template).join('\n')}`
  const script = `\n${[...own.scripts, 'design/theme.js'].map(template).join('\n')}`
  for (const partial of ['design/head', 'design/theme', ...own.partials])
    handlebars.registerPartial(partial, template(`${partial}.hbs`))
  handlebars.registerHelper(
    'coded',
    (text: unknown) => new handlebars.SafeString(coded(String(text), handlebars.escapeExpression)),
  )
  const render = handlebars.compile(template(`${name}/${name}.hbs`), { preventIndent: true })
  return render({ ...data, style, styleHash: hash(style), script, scriptHash: hash(script) })
}

const files = {
  report: {
    styles: ['report/report.css', 'report/summary.css', 'report/row.css'],
    scripts: [
      ...['report/report.js', 'report/copy.js', 'report/viewed.js'],
      ...['dist/spelling.js', 'report/filter.js', 'report/keys.js'],
    ],
    partials: ['report/summary', 'report/filters', 'report/row', 'report/code'],
  },
  changelog: { styles: ['changelog/changelog.css'], scripts: [], partials: [] },
} as const

/** Most reviews need no page, so Handlebars is loaded on demand. */
const require = createRequire(import.meta.url)

function template(path: string): string {
  return readFileSync(require.resolve(`duet-templates/${path}`), 'utf8')
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
