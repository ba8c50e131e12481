import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import Handlebars from 'handlebars'
import { visible } from './visible.js'

/** The pages of the administration area, from the templates of duet-templates, with their styles and scripts. */
export interface View {
  /** HTML of a page. All text of the data is escaped. */
  render(page: string, data: object): string
  /** Styles and scripts by path. */
  readonly assets: ReadonlyMap<string, Asset>
}

interface Asset {
  readonly type: string
  readonly text: string
}

export function createView(): View {
  const handlebars = Handlebars.create()
  // Names that people chose: as text of their own, and where HTML allows no element.
  handlebars.registerHelper(
    'given',
    (text: unknown) => new Handlebars.SafeString(`<bdi>${escaped(text)}</bdi>`),
  )
  handlebars.registerHelper('plain', (text: unknown) => new Handlebars.SafeString(escaped(text)))
  for (const partial of [
    'design/theme',
    'admin/frame',
    'admin/field',
    'admin/pager',
    'admin/changes',
    'admin/head',
    'admin/chart',
    'admin/choice',
    'admin/keys',
    'admin/key-state',
  ])
    handlebars.registerPartial(partial, template(`${partial}.hbs`))
  const css = [
    'design/tokens.css',
    'design/base.css',
    'design/page.css',
    'admin/bar.css',
    'admin/admin.css',
    'admin/table.css',
    'admin/home.css',
    'admin/security.css',
  ]
  const style = { type: 'text/css; charset=utf-8', text: css.map(template).join('\n') }
  const scriptOf = (...names: string[]) => ({
    type: 'text/javascript; charset=utf-8',
    text: names.map(template).join('\n'),
  })
  const first = scriptOf('design/first.js')
  const script = scriptOf('design/theme.js', 'admin/admin.js')
  const passkey = {
    type: script.type,
    text: `${readFileSync(webauthn, 'utf8')}\n${template('admin/passkey.js')}`,
  }
  const named = {
    style: pathOf('style.css', style),
    first: pathOf('first.js', first),
    script: pathOf('admin.js', script),
    passkey: pathOf('passkey.js', passkey),
  }
  const compiled = new Map<string, HandlebarsTemplateDelegate>()
  return {
    render(page, data) {
      const render =
        compiled.get(page) ?? handlebars.compile(template(`admin/${page}.hbs`), { preventIndent: true })
      compiled.set(page, render)
      return render({ ...data, assets: named })
    },
    assets: new Map([
      [named.style, style],
      [named.first, first],
      [named.script, script],
      [named.passkey, passkey],
    ]),
  }
}

/** The package's script for browsers, which its exports do not name. */
const webauthn = join(
  dirname(createRequire(import.meta.url).resolve('@simplewebauthn/browser')),
  '../dist/bundle/index.umd.min.js',
)

function escaped(text: unknown): string {
  return Handlebars.escapeExpression(visible(String(text ?? '')))
}

/** A path that changes with the content, so that browsers may cache it forever. */
function pathOf(name: string, { text }: Asset): string {
  return `/admin/assets/${createHash('sha256').update(text).digest('hex').slice(0, 16)}/${name}`
}

function template(path: string): string {
  return readFileSync(createRequire(import.meta.url).resolve(`duet-templates/${path}`), 'utf8')
}
