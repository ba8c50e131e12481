import { readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compilerOptions } from '../../generator/dist/code/compiler-options.js'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))

/**
 * Compiles generated folders within one folder, strictly, with TypeScript 5.9. One compilation takes many of
 * them, since reading and checking the libraries takes longer than a medium document.
 */
export class Compilation {
  /** Bytes of TypeScript for one compilation. */
  static most = 6_000_000
  /** @type {string[]} */
  #waiting = []
  #bytes = 0
  #number = 0
  /** The first errors, by generated folder. @type {Map<string, string>} */
  errors = new Map()

  /**
   * @param {string} folder that contains the generated folders
   * @param {(args: string[], cwd: string) => Promise<{ code: number | null, stdout: string }>} run
   */
  constructor(folder, run) {
    this.folder = folder
    this.run = run
    symlinkSync(modules, join(folder, 'node_modules'), 'junction')
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  }

  /** @param {string} name of a generated folder, which is removed once it is compiled */
  async add(name) {
    this.#waiting.push(name)
    const folder = join(this.folder, name)
    for (const file of readdirSync(folder))
      if (file.endsWith('.ts')) this.#bytes += statSync(join(folder, file)).size
    if (this.#bytes > Compilation.most) await this.end()
  }

  /** Compiles the waiting folders. */
  async end() {
    const names = this.#waiting
    if (names.length === 0) return
    this.#waiting = []
    this.#bytes = 0
    this.#number += 1
    const project = join(this.folder, `tsconfig-${this.#number}.json`)
    const { sourceMap: _, outDir: __, ...options } = compilerOptions
    const settings = { ...options, skipLibCheck: false, noEmit: true }
    writeFileSync(
      project,
      JSON.stringify({ compilerOptions: settings, include: names.map((name) => `${name}/*.ts`) }),
    )
    const { code, stdout } = await this.run(
      [join(modules, 'typescript/bin/tsc'), '-p', project, '--pretty', 'false'],
      this.folder,
    )
    const lines = stdout.split('\n').filter((line) => line.includes('error TS'))
    for (const line of lines) {
      const name = line.slice(0, line.indexOf('/'))
      // An error outside of the folders counts for all of them.
      for (const one of names.includes(name) ? [name] : names)
        if (!this.errors.has(one)) this.errors.set(one, line)
    }
    if (code !== 0 && lines.length === 0)
      for (const name of names) this.errors.set(name, `tsc ended with ${code ?? 'no time left'}`)
    for (const name of names) rmSync(join(this.folder, name), { recursive: true, force: true })
  }
}
