import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { types } from 'node:util'
import { noteTemporary } from './supervision.js'
import { specifiersIn, transpile } from './transpile.js'

type Module = Readonly<Record<string, unknown>>

/**
 * Loads a module of the project. JavaScript runs unchanged. TypeScript is transpiled without a type check,
 * the same on every version of Node. While loading, the JavaScript of the module and of the TypeScript files
 * that it imports by relative paths is next to them, so that imports resolve as in the originals.
 *
 * @param file absolute path
 * @throws Error for a module that cannot be read, parsed or run, or that awaits at its top level
 */
export function loadFile(file: string): Module {
  if (!isTypeScript(file)) return load(file)
  return withSiblings((write) => new Transpilation(write).add(file))
}

/**
 * Loads several TypeScript modules by names. A file that several of them import is one module.
 *
 * @param files absolute paths
 */
export function loadFiles(folder: string, files: ReadonlyMap<string, string>): Record<string, Module> {
  const loaded = withSiblings((write) => {
    const transpilation = new Transpilation(write)
    const lines = Array.from(files, ([name, file]) => {
      const { href } = pathToFileURL(transpilation.of(file))
      return `export * as ${name} from ${JSON.stringify(href)}\n`
    })
    return write(join(folder, 'modules'), lines.join(''))
  })
  return { ...loaded } as Record<string, Module>
}

/** Loads a package as a module in `folder` would. */
export function loadPackage(name: string, folder: string): Module {
  const module = withSiblings((write) =>
    write(join(folder, 'package'), `export * as found from ${JSON.stringify(name)}\n`),
  )
  return module.found as Module
}

/** The exports of a module. For a CommonJS module those of its default export. */
function load(file: string): Module {
  const { exit } = process
  process.exit = () => {
    throw new Error('it ends the process')
  }
  try {
    const loaded: unknown = createRequire(import.meta.url)(file)
    return types.isModuleNamespaceObject(loaded) ? (loaded as Module) : { default: loaded }
  } finally {
    process.exit = exit
  }
}

/** Writes a temporary file next to a file, with a similar name. Returns its absolute path. */
type WriteSibling = (file: string, text: string) => string

function withSiblings(prepare: (write: WriteSibling) => string): Module {
  const written = new Set<string>()
  const swept = new Set<string>()
  const run = `${process.pid}-${randomUUID().slice(0, 8)}`
  try {
    const entry = prepare((file, text) => {
      const folder = dirname(file)
      if (!swept.has(folder)) removeAbandoned(folder)
      swept.add(folder)
      const sibling = join(folder, `.${basename(file)}.${run}.mjs`)
      noteTemporary(sibling)
      writeFileSync(sibling, text)
      written.add(sibling)
      return sibling
    })
    return load(entry)
  } finally {
    for (const sibling of written) rmSync(sibling, { force: true })
  }
}

/** Removes what killed runs have left in a folder. */
function removeAbandoned(folder: string): void {
  const names = readdirSync(folder)
  for (const name of names) {
    const [, pid] = /^\..+\.(\d+)-[0-9a-f]{8}\.mjs$/.exec(name) ?? []
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(folder, name), { force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A TypeScript file with all TypeScript files that it imports by relative paths. */
class Transpilation {
  readonly #siblings = new Map<string, string>()

  constructor(readonly write: WriteSibling) {}

  /** Returns the path of the file's JavaScript. */
  of(file: string): string {
    return this.#siblings.get(file) ?? this.add(file)
  }

  add(file: string): string {
    const renamed = new Map<string, string>()
    const text = readFileSync(file, 'utf8')
    const imported = specifiersIn(text).flatMap((specifier) => {
      const target = typeScriptFile(specifier, dirname(file))
      return target === undefined ? [] : [{ specifier, target }]
    })
    // Imports may be circular, so a file's sibling gets its name before its text.
    const sibling = this.write(file, '')
    this.#siblings.set(file, sibling)
    for (const { specifier, target } of imported) {
      const path = this.of(target)
      renamed.set(specifier, pathToFileURL(path).href)
    }
    return this.write(file, transpile(text, file, renamed))
  }
}

/** The TypeScript file that a relative specifier means: itself, or the source of a JavaScript name. */
function typeScriptFile(specifier: string, folder: string): string | undefined {
  if (!/^\.{1,2}\//.test(specifier)) return undefined
  const file = resolve(folder, specifier)
  if (isTypeScript(file)) return file
  const source = file.replace(/\.(m?)js$/, '.$1ts')
  return isTypeScript(source) && !existsSync(file) && existsSync(source) ? source : undefined
}

function isTypeScript(file: string): boolean {
  return /\.m?ts$/.test(file) && !/\.d\.m?ts$/.test(file)
}
