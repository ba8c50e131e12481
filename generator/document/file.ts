import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'

/** Path of a file as diagnostics and manifests show it: relative to a folder, with forward slashes. */
export function displayPath(absolute: string, folder: string): string {
  return relative(folder, absolute).split(sep).join('/')
}

/** A file's text as UTF-8, or why it cannot be read, with a remedy if the usual one does not help. */
export function readText(
  absolute: string,
): { readonly text: string } | { readonly reason: string; readonly remedy?: string } {
  try {
    return textOf(readFileSync(absolute))
  } catch (error) {
    return { reason: fileReason(error) }
  }
}

/** The text that bytes are in UTF-8, a byte order mark included. */
function textOf(bytes: Buffer): ReturnType<typeof readText> {
  // Several times as fast as a TextDecoder that throws.
  if (isUtf8(bytes)) return { text: bytes.toString() }
  return { reason: 'it is not UTF-8 text', remedy: 'Save the file as UTF-8.' }
}

/** An error of the file system in words. */
export function fileReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return reasons[code] ?? (error instanceof Error ? error.message : String(error))
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission is denied',
  ENOTDIR: 'a part of its path is not a folder',
  ELOOP: 'its symbolic links lead in a circle',
  EEXIST: 'a file has this name',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
}
