import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { templateError } from './extension-error.js'
import { handlebarsFor } from './handlebars.js'

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
  return {
    render: (path, data) => {
      const own = folder === undefined ? undefined : join(folder, path)
      const file = own !== undefined && existsSync(own) ? own : undefined
      try {
        const text = readFileSync(file ?? builtIn(path), 'utf8')
        const { handlebars, compiled } = handlebarsFor([text], textOptions)
        handlebars.registerHelper('md', (text: unknown) => escapeMarkdown(String(text)))
        handlebars.registerHelper('html', (text: unknown) => handlebars.escapeExpression(String(text)))
        return compiled(text)(data)
      } catch (error) {
        throw templateError(file ?? path, error)
      }
    },
  }
}

export const textOptions = { noEscape: true, strict: true }

/** Absolute path of a file of duet-templates. */
export function builtIn(path: string): string {
  home ??= dirname(createRequire(import.meta.url).resolve('duet-templates/package.json'))
  return join(home, path)
}

let home: string | undefined

/** Text of a document as Markdown text, without any markup. */
function escapeMarkdown(text: string): string {
  return text
    .replace(/[\r\n\u2028\u2029]+/g, ' ')
    .replace(/[\\`*_{}[\]()#+\-.!|<>~&]/g, (mark) =>
      mark === '<' ? '&lt;' : mark === '&' ? '&amp;' : mark === '.' || mark === '-' ? mark : `\\${mark}`,
    )
}
