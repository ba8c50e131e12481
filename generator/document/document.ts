/** A JSON value as a parser returns it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

/** A place in an input file; line and column count from 1. */
export interface Position {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** One file that was read on the way to a document. */
export interface InputFile {
  /** Path relative to the working directory, with forward slashes. */
  readonly path: string
  readonly text: string
  /** Lines of it are not shown: nothing says that it is a document and not, say, a file of secrets. */
  readonly isHidden?: true
}

/**
 * A loaded document: every file resolved into one, in OpenAPI 3.1 form. References that are left
 * all point into `root` itself (`#/…`); those into other files were bundled under `components`.
 */
export interface Document {
  /** The entry file's path, as in {@link InputFile.path}. */
  readonly file: string
  readonly files: readonly InputFile[]
  readonly root: JsonObject
  /** Position of a JSON pointer (`#/paths/~1clients/get`) into `root`, or of its nearest located ancestor. */
  readonly locate: (pointer: string) => Position
}
