import type Handlebars from 'handlebars'
import { coded } from '../project/coded.js'
import { templateError } from '../project/extension-error.js'
import { handlebarsFor, type LoadedHandlebars } from '../project/handlebars.js'
import { type Assets, pageTemplates, partials } from './assets.js'
import { directionParts } from './html/right-to-left.js'

/**
 * Renders HTML pages. Two braces in a template always escape. `{{breakable name}}` allows line breaks in a
 * long name or path after each dot and slash, and after underscores in a long part. `{{coded message}}` shows what is
 * between backticks as code. `{{verbatim text}}` is for code between tags, where quotes are no markup: escaped, JSON has
 * twice the length.
 */
export interface Pages {
  /**
   * @throws ExtensionError for a template of the project that does not parse, or names something that `data`
   * does not have
   */
  readonly render: (template: string, data: object) => string
}

export function pagesOf({ text, file }: Assets): Pages {
  const templates = new Map<string, Handlebars.TemplateDelegate>()
  let loaded: LoadedHandlebars | undefined
  return {
    render: (name, data) => {
      const path = `${name}.hbs`
      try {
        loaded ??= prepared(text)
        const render = templates.get(name) ?? loaded.compiled(text(path))
        templates.set(name, render)
        return render(data)
      } catch (error) {
        throw templateError(file(path), error)
      }
    },
  }
}

/** Without other helpers, Handlebars resolves names as fields directly. */
export const pageOptions = {
  strict: true,
  preventIndent: true,
  knownHelpersOnly: true,
  knownHelpers: { breakable: true, coded: true, verbatim: true },
}

function prepared(text: Assets['text']): LoadedHandlebars {
  const texts = [...pageTemplates, ...partials].map((name) => text(`${name}.hbs`))
  const loaded = handlebarsFor(texts, pageOptions)
  const { handlebars, compiled } = loaded
  for (const partial of partials) handlebars.registerPartial(partial, compiled(text(`${partial}.hbs`)))
  handlebars.registerHelper(
    'breakable',
    (text: unknown) => new handlebars.SafeString(breakable(String(text))),
  )
  handlebars.registerHelper(
    'coded',
    (text: unknown) => new handlebars.SafeString(coded(String(text), escaped)),
  )
  handlebars.registerHelper('verbatim', (text: unknown) => new handlebars.SafeString(verbatim(String(text))))
  return loaded

  function breakable(text: string): string {
    if (text.length <= fitsAnywhere) return escaped(text)
    return text
      .split(/(?<=.[./])(?=.)/)
      .flatMap((part) =>
        part.length <= fitsAnywhere ? [part] : part.split(/(?<=_)(?=.)|(?<=[a-z0-9])(?=[A-Z])/),
      )
      .map(escaped)
      .join('<wbr>')
  }

  function escaped(text: string): string {
    return isolated(handlebars.escapeExpression(text))
  }
}

/** Maximum length of a name that fits in the narrowest column. Every page has hundreds of names. */
const fitsAnywhere = 16

/** HTML, data state: only these end text. */
function verbatim(text: string): string {
  return isolated(
    text.replaceAll(/[&<>]/g, (mark) => (mark === '&' ? '&amp;' : mark === '<' ? '&lt;' : '&gt;')),
  )
}

/** HTML whose words from right to left affect nothing around them. */
function isolated(html: string): string {
  return directionParts(html)
    .map((part, index) => (index % 2 === 0 ? part : `<bdi>${part}</bdi>`))
    .join('')
}
