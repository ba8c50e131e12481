import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type * as Handlebars from 'handlebars'
import { ExtensionError, reasonOf } from './extension-error.js'

/** Handlebars templates for texts that people read. */
export interface Templates {
  /**
   * Renders a template by its path. Only the helpers `md` (Markdown) and `html` escape text.
   *
   * @throws ExtensionError for a template of the project that does not parse, or names something that `data`
   * does not have
   */
  readonly render: (path: string, data: object) => string
}

/**
 * The templates of duet-templates. Those of a folder override them.
 *
 * @param folder absolute path of the project's own templates
 */
export function templatesOf(folder?: string): Templates {
  let handlebars: typeof Handlebars | undefined
  return {
    render: (path, data) => {
      const own = folder === undefined ? undefined : join(folder, path)
      const file = own !== undefined && existsSync(own) ? own : undefined
      try {
        const text = readFileSync(file ?? builtIn(path), 'utf8')
        handlebars ??= prepared()
        return handlebars.compile(text, { noEscape: true, strict: true })(data)
      } catch (error) {
        throw new ExtensionError(`The template ${file ?? path} failed: ${reasonOf(error)}`, { cause: error })
      }
    },
  }
}

/** Handlebars with the helpers. Loaded only if there is text to render. */
function prepared(): typeof Handlebars {
  const { create, escapeExpression }: typeof Handlebars = createRequire(import.meta.url)('handlebars')
  const handlebars = create()
  handlebars.registerHelper('md', (text: unknown) => escapeMarkdown(String(text)))
  handlebars.registerHelper('html', (text: unknown) => escapeExpression(String(text)))
  return handlebars
}

function builtIn(path: string): string {
  return createRequire(import.meta.url).resolve(`duet-templates/${path}`)
}

/** Text of a document as Markdown text, without any markup. */
function escapeMarkdown(text: string): string {
  return text
    .replace(/[\r\n\u2028\u2029]+/g, ' ')
    .replace(/[\\`*_{}[\]()#+\-.!|<>~&]/g, (mark) =>
      mark === '<' ? '&lt;' : mark === '&' ? '&amp;' : mark === '.' || mark === '-' ? mark : `\\${mark}`,
    )
}
