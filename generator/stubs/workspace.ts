import { Project, ts } from 'ts-morph'

export { ts }

/** A change of a text: `start` to `end` becomes `text`. */
export interface Splice {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A position in a file. Edits before it move it. */
export interface TrackedPosition {
  file: string
  at: number
}

/** A node and everything in it, in the order of the text. */
export function nodesIn(node: ts.Node): ts.Node[] {
  const found: ts.Node[] = []
  const visit = (one: ts.Node): void => {
    found.push(one)
    ts.forEachChild(one, visit)
  }
  visit(node)
  return found
}

/** The TypeScript files of a handler folder, in memory. They are parsed, and changed only by splices. */
export class Workspace {
  readonly #texts = new Map<string, string>()
  readonly #byteOrderMarks = new Set<string>()
  readonly #stale = new Set<string>()
  readonly #places: TrackedPosition[] = []
  readonly #project = new Project({
    useInMemoryFileSystem: true,
    skipFileDependencyResolution: true,
    compilerOptions: {
      noLib: true,
      types: [],
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    },
  })

  /** @param files texts by path within the folder */
  constructor(files: ReadonlyMap<string, string>) {
    for (const [path, text] of files) this.add(path, text)
  }

  get paths(): string[] {
    return [...this.#texts.keys()].sort()
  }

  has(path: string): boolean {
    return this.#texts.has(path)
  }

  /** A file's text without its byte order mark. */
  text(path: string): string {
    const text = this.#texts.get(path)
    if (text === undefined) throw new Error(`There is no ${path} in the workspace`)
    return text
  }

  /** Whether a file begins with a byte order mark. */
  isMarked(path: string): boolean {
    return this.#byteOrderMarks.has(path)
  }

  /** Every file with its new text. */
  files(): Map<string, string> {
    return new Map(
      this.paths.map((path) => [path, (this.#byteOrderMarks.has(path) ? '\ufeff' : '') + this.text(path)]),
    )
  }

  source(path: string): ts.SourceFile {
    if (this.#stale.delete(path))
      this.#project.createSourceFile(root + path, this.text(path), { overwrite: true })
    return this.#project.getSourceFileOrThrow(root + path).compilerNode
  }

  /** The first syntax error of a file. */
  syntaxError(path: string): string | undefined {
    const source = this.source(path)
    const [error] = this.#program().getSyntacticDiagnostics(source)
    if (error === undefined) return undefined
    const { line, character } = source.getLineAndCharacterOfPosition(error.start ?? 0)
    const message = ts.flattenDiagnosticMessageText(error.messageText, ' ')
    return `${line + 1}:${character + 1} ${message}`
  }

  /** The type checker over all files. Valid until the next edit. */
  checker(): ts.TypeChecker {
    return this.#program().getTypeChecker()
  }

  /** Path of a node's file within the folder. */
  pathOf(node: ts.Node): string {
    return node.getSourceFile().fileName.slice(root.length)
  }

  add(path: string, text: string): void {
    const marked = text.startsWith('\ufeff')
    if (marked) this.#byteOrderMarks.add(path)
    this.#texts.set(path, marked ? text.slice(1) : text)
    this.#stale.add(path)
  }

  remove(path: string): void {
    this.#texts.delete(path)
    this.#stale.delete(path)
    this.#byteOrderMarks.delete(path)
    this.#project.getSourceFile(root + path)?.forget()
  }

  rename(from: string, to: string): void {
    const marked = this.#byteOrderMarks.has(from)
    const text = this.text(from)
    this.remove(from)
    this.add(to, marked ? `\ufeff${text}` : text)
    for (const place of this.#places) if (place.file === from) place.file = to
  }

  /** Applies splices, which must not overlap. Insertions at one position keep their order. */
  edit(path: string, splices: readonly Splice[]): void {
    if (splices.length === 0) return
    const ordered = splices
      .map((splice, index) => ({ splice, index }))
      .sort((a, b) => b.splice.start - a.splice.start || b.index - a.index)
    let text = this.text(path)
    for (const { splice } of ordered) {
      text = text.slice(0, splice.start) + splice.text + text.slice(splice.end)
      const shift = splice.text.length - (splice.end - splice.start)
      for (const place of this.#places)
        if (place.file === path && place.at >= splice.end && place.at > splice.start) place.at += shift
    }
    this.#texts.set(path, text)
    this.#stale.add(path)
  }

  /** A position that edits keep up to date. */
  track(file: string, at: number): TrackedPosition {
    const known = this.#places.find((place) => place.file === file && place.at === at)
    if (known !== undefined) return known
    const place = { file, at }
    this.#places.push(place)
    return place
  }

  #program(): ts.Program {
    for (const path of [...this.#stale]) this.source(path)
    return this.#project.getProgram().compilerObject
  }
}

const root = '/handlers/'
