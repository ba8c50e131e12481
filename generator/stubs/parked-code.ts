import { lineCommentText } from '../code/literal.js'
import type { ScaffoldRun } from './scaffold-run.js'
import { lineStart } from './separated-items.js'
import type { Splice, Workspace } from './workspace.js'

/**
 * Appends a block of parked code to a file: line comments, since the code may name removed types. Without the
 * `// ` before each line, the code is what it was.
 *
 * @param name operation, or `clients.*` for what implemented a namespace
 * @param pieces code with its own comments, which stood apart
 */
export function park(
  text: string,
  name: string,
  why: string,
  pieces: readonly string[],
  eol: string,
): Splice {
  const body = pieces.map((code) => commentedOut(code.replace(leadingBreaks, ''))).join(`${eol}//${eol}`)
  const head = lineCommentText(`#region parked by duet: ${name} - ${why}`)
  const block = [head, body, `// #endregion parked by duet: ${name}`].join(eol)
  const isEnded = text === '' || lineStart(text, text.length) === text.length
  const piece = isEnded ? `${eol}${block}${eol}` : `${eol}${eol}${block}`
  return { start: text.length, end: text.length, text: piece }
}

/** Names of a file's parked blocks. */
export function parkedIn(text: string): string[] {
  const heads = text.matchAll(/^\/\/ #region parked by duet: (\S+)/gm)
  // An earlier duet parked in pieces: `orders.*1`, `orders.*2`, `clients.get()`.
  return [...heads].map(([, name = '']) => name.replace(/\(\)$|(?<=\*)\d+$/, ''))
}

/** Every parked block of a folder. */
export function parkedBlocks(workspace: Workspace): { readonly name: string; readonly file: string }[] {
  return workspace.paths.flatMap((file) => parkedIn(workspace.text(file)).map((name) => ({ name, file })))
}

/** Names the parked code of operations and namespaces that are back: only a person can say what to do with it. */
export function reportParked({ workspace, wanted, record, findings }: ScaffoldRun): void {
  const isBack = (name: string) =>
    name.endsWith('.*')
      ? wanted.interfaces.has(name.slice(0, -2)) && record?.interfaces.has(name.slice(0, -2)) !== true
      : wanted.operations.has(name) && record?.operations.has(name) !== true
  for (const { name, file } of parkedBlocks(workspace).filter(({ name }) => isBack(name)))
    findings.left.push({ file, reason: `it has a parked handler of ${name}: use it or delete it` })
}

const leadingBreaks = /^(?:[ \t]*(?:\r\n|[\n\r\u2028\u2029]))+/

/** Code as line comments. Every line terminator of ECMAScript ends a comment. */
function commentedOut(code: string): string {
  return code
    .split(/(\r\n|[\n\r\u2028\u2029])/)
    .map((part, index) => (index % 2 === 1 ? part : part === '' ? '//' : `// ${part}`))
    .join('')
}
