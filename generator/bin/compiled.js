import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { Script } from 'node:vm'

/**
 * Loads a CommonJS file and the files of its folder that it requires, with code that V8 compiled in an earlier run.
 * Compiling takes longer than a small review, and Node has such a cache only since 22.1.
 *
 * The files must not call `import()`: code from the cache has no module loader on Node 20.
 * The cache is next to the files, so only a user who can change the files can change it. A read-only folder is no
 * error.
 *
 * @param {string} file absolute path
 * @returns {{ exports: any, keep: () => void }} `keep` writes what this run compiled. Call it at the end, since V8
 *   compiles each function at its first call
 */
export function loadCompiled(file) {
  const folder = dirname(file)
  // The tag depends on V8's version, its flags and the processor.
  const cache = join(folder, 'compiled', String(cachedDataVersionTag()))
  /** @type {Map<string, { module: { exports: any }, script: Script, source: Buffer }>} */
  const loaded = new Map()
  let hasNew = false
  const outer = createRequire(file)
  /** @param {string} id */
  const here = (id) => (id.startsWith('./') ? load(id.slice(2)) : outer(id))
  const require = Object.assign(here, outer)

  /** @param {string} path */
  const load = (path) => {
    const known = loaded.get(path)
    if (known !== undefined) return known.module.exports
    const source = readFileSync(join(folder, path))
    const cachedData = cachedFor(source, join(cache, path))
    const script = new Script(`(function (exports, require, module, __filename) {${source}\n})`, {
      filename: join(folder, path),
      ...(cachedData && { cachedData }),
    })
    if (cachedData === undefined || script.cachedDataRejected) hasNew = true
    const module = { exports: {} }
    loaded.set(path, { module, script, source })
    script.runInThisContext()(module.exports, require, module, join(folder, path))
    return module.exports
  }

  const keep = () => {
    if (!hasNew) return
    try {
      mkdirSync(cache, { recursive: true })
      // A run that loads a new file also calls new functions of the others.
      for (const [path, { script, source }] of loaded) {
        const draft = join(cache, `${path}.${process.pid}`)
        writeFileSync(draft, Buffer.concat([source, script.createCachedData()]))
        renameSync(draft, join(cache, path))
      }
    } catch {
      // The next run compiles again.
    }
  }
  return { exports: load(file.slice(folder.length + 1)), keep }
}

/**
 * The code compiled from exactly this source. V8 itself compares only lengths.
 *
 * @param {Buffer} source @param {string} path
 */
function cachedFor(source, path) {
  try {
    const kept = readFileSync(path)
    return kept.subarray(0, source.length).equals(source) ? kept.subarray(source.length) : undefined
  } catch {
    return undefined
  }
}
