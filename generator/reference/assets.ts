import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestOf } from '../cache/store.js'
import { builtIn } from '../project/templates.js'

/** Texts of templates, styles and scripts by their path, such as `reference/index.hbs`. */
export interface Assets {
  readonly text: (path: string) => string
  /** The path of the file, for messages. */
  readonly file: (path: string) => string
}

/**
 * The assets of duet-templates. Those of the project's folder override them.
 *
 * @param folder absolute path of the project's own
 */
export function assetsOf(folder?: string): Assets {
  const file = (path: string): string => {
    const own = folder === undefined ? undefined : join(folder, path)
    return own !== undefined && existsSync(own) ? own : builtIn(path)
  }
  const texts = new Map<string, string>()
  const text = (path: string): string => {
    const known = texts.get(path) ?? readFileSync(file(path), 'utf8')
    texts.set(path, known)
    return known
  }
  return { file, text }
}

export const styles = [
  ...['design/tokens.css', 'design/base.css', 'design/page.css'],
  ...['frame', 'start', 'operation', 'fields', 'console', 'try'].map((name) => `reference/${name}.css`),
]
export const firstScripts = ['design/first.js', 'reference/first.js']
export const scripts = ['design/theme.js', 'dist/reference.js']
export const pageTemplates = [
  'reference/index',
  'reference/namespace',
  'reference/link',
  'reference/schema',
  'reference/schemas',
]
export const partials = [
  ...['design/theme', 'reference/head', 'reference/top', 'reference/fields', 'reference/operation'],
  ...['reference/choices', 'reference/changed', 'reference/note', 'reference/members', 'reference/console'],
  ...['reference/type', 'reference/begin', 'reference/changelog', 'reference/lines', 'reference/values'],
  ...['reference/paging', 'reference/user'],
]

/** The paths of all assets of the pages. */
export const assetPaths = [
  ...[...styles, ...firstScripts, ...scripts],
  ...[...pageTemplates, ...partials].map((name) => `${name}.hbs`),
]

/** Digest of all assets of the pages. */
export function assetsDigest({ text }: Assets): string {
  return digestOf(...assetPaths.map(text))
}
