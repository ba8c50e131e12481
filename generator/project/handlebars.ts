import { createRequire } from 'node:module'
import type Handlebars from 'handlebars'
import { digestOf } from '../cache/store.js'
import { precompiled } from './precompiled.js'

/** Handlebars, and a way to compile some of the texts that it was loaded for. */
export interface LoadedHandlebars {
  readonly handlebars: typeof Handlebars
  readonly compiled: (text: string) => Handlebars.TemplateDelegate
}

/**
 * Handlebars for these templates. Its compiler is loaded only for templates that the bundled command does not
 * have compiled, such as those of a project.
 */
export function handlebarsFor(texts: readonly string[], options: CompileOptions): LoadedHandlebars {
  const specs = new Map(texts.map((text) => [text, precompiled.get(templateKey(text, options))]))
  const needsCompiler = [...specs.values()].includes(undefined)
  const { create }: typeof Handlebars = needsCompiler ? require('handlebars') : require('handlebars/runtime')
  const handlebars = create()
  const compiled = (text: string) => {
    const spec = specs.get(text)
    return spec === undefined ? handlebars.compile(text, options) : handlebars.template(spec)
  }
  return { handlebars, compiled }
}

/** Identifies a compiled template. */
export function templateKey(text: string, options: CompileOptions): string {
  return digestOf(text, JSON.stringify(options))
}

// The bundle has the runtime of Handlebars, but not its compiler.
const require = createRequire(import.meta.url)
