import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { readRemote } from '../load/remote.js'

/** Where the document of a new project is read from. */
export interface SpecSource {
  /** Path of the entry file from `cwd`. */
  readonly file: string
  readonly cwd: string
  /** Paths of the overlays from `cwd`. */
  readonly overlays?: readonly string[] | undefined
  /** Removes what was written to read it. */
  readonly dispose: () => void
}

/**
 * Reads a document from the web, once and without the files that it refers to: who names an address agrees to that address
 * alone. A string is the reason why there is none.
 */
export function remoteSpec(url: string): { readonly name: string; readonly text: string } | string {
  const read = readRemote(url)
  if ('reason' in read) return read.reason
  const named = basename(new URL(url).pathname)
  const isJson = read.text.trimStart().startsWith('{')
  return {
    name: /\.(?:ya?ml|json)$/.test(named) ? named : `openapi.${isJson ? 'json' : 'yaml'}`,
    text: read.text,
  }
}

/** Puts a text that is no file of the user's, and the overlays for it, into a folder of their own. Throws where one cannot be read. */
export function specOfText(
  name: string,
  text: string,
  overlays: readonly string[] | undefined,
  from: string,
): SpecSource {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-init-'))
  const dispose = (): void => rmSync(cwd, { recursive: true, force: true })
  try {
    writeFileSync(join(cwd, name), text)
    for (const overlay of overlays ?? [])
      writeFileSync(join(cwd, basename(overlay)), readFileSync(resolve(from, overlay)), { flag: 'wx' })
    return { file: name, cwd, overlays: overlays?.map((overlay) => basename(overlay)), dispose }
  } catch (error) {
    dispose()
    throw error
  }
}
