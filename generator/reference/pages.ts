import { createRequire } from 'node:module'
import type * as Handlebars from 'handlebars'
import { ExtensionError, reasonOf } from '../project/extension-error.js'
import { type Assets, partials } from './assets.js'

/**
 * Renders HTML pages: whatever a template writes with two braces is escaped. `{{breakable name}}` lets a long name or path
 * go on in the next line behind each dot and slash, and behind underscores of a long part.
 */
export interface Pages {
  /** @throws ExtensionError for a template of the team's that does not parse, or names what `data` lacks */
  readonly render: (template: string, data: object) => string
}

export function pagesOf({ text, file }: Assets): Pages {
  const compiled = new Map<string, Handlebars.TemplateDelegate>()
  let handlebars: typeof Handlebars | undefined
  return {
    render: (name, data) => {
      const path = `${name}.hbs`
      try {
        handlebars ??= prepared(text)
        const render = compiled.get(name) ?? handlebars.compile(text(path), options)
        compiled.set(name, render)
        return render(data)
      } catch (error) {
        throw new ExtensionError(`The template ${file(path)} failed: ${reasonOf(error)}`, { cause: error })
      }
    },
  }
}

/** That no other helpers are known lets Handlebars read names as fields at once. */
const options = {
  strict: true,
  preventIndent: true,
  knownHelpersOnly: true,
  knownHelpers: { breakable: true },
}

function prepared(text: Assets['text']): typeof Handlebars {
  const { create }: typeof Handlebars = createRequire(import.meta.url)('handlebars')
  const handlebars = create()
  for (const partial of partials) handlebars.registerPartial(partial, text(`${partial}.hbs`))
  handlebars.registerHelper(
    'breakable',
    (text: unknown) => new handlebars.SafeString(breakable(String(text))),
  )
  return handlebars

  function breakable(text: string): string {
    if (text.length <= fitsAnywhere) return handlebars.escapeExpression(text)
    return text
      .split(/(?<=.[./])(?=.)/)
      .flatMap((part) => (part.length <= fitsAnywhere ? [part] : part.split(/(?<=_)(?=.)/)))
      .map((part) => handlebars.escapeExpression(part))
      .join('<wbr>')
  }
}

/** Characters of a name that has room in the narrowest column; every page has hundreds of names. */
const fitsAnywhere = 16
