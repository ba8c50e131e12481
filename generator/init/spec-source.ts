import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { readRemote } from '../load/remote.js'

/** The source of a new project's document. */
export interface SpecSource {
  /** Path of the entry file, relative to `cwd`. */
  readonly file: string
  readonly cwd: string
  /** Paths of the overlays, relative to `cwd`. */
  readonly overlays?: readonly string[] | undefined
  /** Removes temporary files. */
  readonly dispose: () => void
}

/**
 * Downloads a document without the files that it refers to: naming an address permits only that address. A
 * string is the reason for a failure.
 */
export function remoteSpec(url: string): { readonly name: string; readonly text: string } | string {
  const read = readRemote(url)
  if ('reason' in read) return read.reason
  if (/^\s*<(!doctype|html|\?xml)/i.test(read.text))
    return 'the response is an HTML or XML page, not an OpenAPI document'
  const named = basename(new URL(url).pathname)
  const isJson = read.text.trimStart().startsWith('{')
  return {
    name: /\.(?:ya?ml|json)$/.test(named) ? named : `openapi.${isJson ? 'json' : 'yaml'}`,
    text: read.text,
  }
}

/**
 * Puts a text that is not in a file, and its overlays, into a temporary folder. Throws if an overlay cannot
 * be read.
 */
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
