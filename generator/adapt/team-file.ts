import { inPattern, keyText, lineCommentText, stringText } from '../code/literal.js'
import { insertMember } from '../stubs/added-handlers.js'
import { type Container, discover, findMember, firstOpaque } from '../stubs/handler-discovery.js'
import { ensureImport } from '../stubs/imports.js'
import { type Body, bodyAt, type Member, memberNamed } from '../stubs/members.js'
import { park } from '../stubs/parked-code.js'
import { commentsIn, removal } from '../stubs/separated-items.js'
import { defaultStyle, quoted, type Style, styledKey, styleOf } from '../stubs/style.js'
import { nodesIn, ts, Workspace } from '../stubs/workspace.js'
import type { Adaptation, AdaptedOperation } from './adaptation.js'
import { type Apis, isPartly, stepName } from './derived-file.js'

/** What merging did to the team's file of a step, or would do. */
export interface Merged {
  /** New texts by path, of files that change. */
  readonly write: ReadonlyMap<string, string>
  readonly added: readonly string[]
  /** Untouched stubs that nothing needs any more. */
  readonly removed: readonly string[]
  /** Code that nothing needs any more, at the end of its file now. */
  readonly parked: readonly string[]
  /** What a person has to do first. */
  readonly left: readonly string[]
  /** Entries that are still stubs. */
  readonly stubs: readonly string[]
  /** What callers lose, by operation, as the team's code states it. */
  readonly losses: ReadonlyMap<string, string>
}

/**
 * Brings the team's file of a step in line with the documents: adds stubs, takes out what nothing needs, and leaves
 * every other byte as it is. Reads and writes nothing.
 *
 * @param files texts of the folder's TypeScript files by path
 */
export function mergeTeamFile(
  files: ReadonlyMap<string, string>,
  adaptation: Adaptation,
  apis: Apis,
): Merged {
  const left = adaptation.operations.filter(({ kind }) => kind === 'written' || kind === 'gone')
  const path = `${stepName(adaptation)}.ts`
  const names = left.map(({ name }) => name)
  if (!files.has(path))
    return {
      ...nothing,
      write: new Map([[path, freshText(adaptation, left, apis)]]),
      added: names,
      stubs: names,
      losses: new Map(),
    }
  return new Merge(files, path, adaptation, left, apis).merged()
}

const nothing: Omit<Merged, 'write' | 'losses'> = { added: [], removed: [], parked: [], left: [], stubs: [] }

function freshText(adaptation: Adaptation, left: readonly AdaptedOperation[], apis: Apis): string {
  const { older, next } = adaptation
  const hasParts = left.some(isPartly)
  const throws = left.some(({ kind }) => kind === 'written')
  const module = stringText(`./${stepName(adaptation)}.derived.js`)
  const entries = left.map(
    (operation) =>
      `  ${stubText(operation, { problem: 'problem', parts: 'parts' }, defaultStyle).replaceAll('\n', '\n  ')},\n`,
  )
  return [
    ...(throws ? [`import { problem } from ${stringText(apis.older)}`] : []),
    `import { derived, ${hasParts ? 'parts, ' : ''}type Written } from ${module}`,
    '',
    entries.length === 0 ? 'const written: Written = {}' : `const written: Written = {\n${entries.join('')}}`,
    '',
    lineCommentText(`How ${next.version} serves calls of ${older.version}.`).replace(
      /^\/\/ (.*)$/,
      '/** $1 */',
    ),
    'export const adapter = { ...derived, ...written }',
    '',
  ].join('\n')
}

/** Names that a file has for what stubs use. */
interface Locals {
  readonly problem: string
  readonly parts: string
}

/** A member of `Written` that duet writes for the team to fill in. */
function stubText(operation: AdaptedOperation, { problem, parts: derived }: Locals, style: Style): string {
  const { name, kind, parts } = operation
  const end = style.semicolons ? ';' : ''
  const detail = quoted(unwritten(name), style)
  const key = styledKey(name, style)
  if (kind === 'gone') return `${key}: { gone: ${quoted('not_implemented', style)}, detail: ${detail} }`
  const written = parts.filter((part) => part.kind === 'written').map((part) => part.name)
  const members = [
    ...(isPartly(operation) ? [`...${derived}[${quoted(name, style)}]`] : []),
    ...(written.includes('params') ? [`loss: ${quoted(undecided, style)}`] : []),
    ...written.map(
      (part) =>
        `${part}(${part}) {\n    throw ${problem}(${quoted('not_implemented', style)}, ${detail})${end}\n  }`,
    ),
  ]
  return `${key}: {\n${members.map((member) => `  ${member},\n`).join('')}}`
}

function unwritten(name: string): string {
  return `${name} is not adapted yet.`
}

const undecided = 'not decided yet'

class Merge {
  readonly #workspace: Workspace
  readonly #added: string[] = []
  readonly #removed: string[] = []
  readonly #parked: string[] = []
  readonly #left: string[] = []
  readonly #stubs: string[] = []
  readonly #losses = new Map<string, string>()

  constructor(
    readonly files: ReadonlyMap<string, string>,
    readonly path: string,
    readonly adaptation: Adaptation,
    readonly wanted: readonly AdaptedOperation[],
    readonly apis: Apis,
  ) {
    this.#workspace = new Workspace(files)
  }

  merged(): Merged {
    const workspace = this.#workspace
    const error = workspace.syntaxError(this.path)
    if (error !== undefined) this.#left.push(`${this.path} does not parse (${error})`)
    else {
      const container = this.#container()
      if (container !== undefined) this.#bringInLine(container)
    }
    const changed = [...workspace.files()].filter(([path, text]) => this.files.get(path) !== text)
    return {
      write: new Map(changed),
      added: this.#added,
      removed: this.#removed,
      parked: this.#parked,
      left: this.#left,
      stubs: this.#stubs,
      losses: this.#losses,
    }
  }

  /** The object of the type `Written`, which may be what a function returns. */
  #container(): Container | undefined {
    const [only, ...others] = writtenObjects(this.#workspace, stepName(this.adaptation))
    if (only !== undefined && others.length === 0) return only
    const names = this.wanted.map(({ name }) => name)
    const reason =
      only === undefined ? 'has no object of the type Written' : 'has several objects of the type Written'
    if (names.length > 0) this.#left.push(`${this.path} ${reason}. Needed: ${names.join(', ')}`)
    return undefined
  }

  #bringInLine(container: Container): void {
    const workspace = this.#workspace
    for (const operation of this.wanted) {
      const found = findMember(workspace, container, operation.name)
      if (found.kind === 'missing') this.#add(container, operation)
      if (found.kind === 'here') this.#note(found.body, operation.name)
    }
    const names = new Set(this.wanted.map(({ name }) => name))
    const surplus = bodyAt(workspace, container.place).members.flatMap(({ name }) =>
      name === undefined || names.has(name) ? [] : [name],
    )
    for (const name of surplus) this.#remove(container, name)
  }

  #add(container: Container, operation: AdaptedOperation): void {
    const workspace = this.#workspace
    const { file } = container.place
    const style = styleOf(workspace.source(file))
    const import_ = (name: string, module: string): string =>
      ensureImport(workspace, file, { name, module, type: false }, style)
    const problem = operation.kind === 'gone' ? 'problem' : import_('problem', this.apis.older)
    const module = `./${stepName(this.adaptation)}.derived.js`
    const parts = isPartly(operation) ? import_('parts', module) : 'parts'
    const body = bodyAt(workspace, container.place)
    const index = firstOpaque(workspace, body) ?? body.row.slots.length
    insertMember({ workspace }, body, stubText(operation, { problem, parts }, style), index, style)
    this.#added.push(operation.name)
    this.#stubs.push(operation.name)
  }

  #note(body: Body, name: string): void {
    const member = memberNamed(body, name)
    if (member === undefined) return
    if (isStub(body, member, name)) this.#stubs.push(name)
    const loss = lossOf(member)
    if (loss !== undefined) this.#losses.set(name, loss)
  }

  #remove(container: Container, name: string): void {
    const workspace = this.#workspace
    const body = bodyAt(workspace, container.place)
    const member = memberNamed(body, name)
    if (member === undefined) return
    const { text, splices } = removal(body.row, member.slot)
    const isOurs = isStub(body, member, name)
    workspace.edit(body.path, splices)
    if (isOurs) {
      this.#removed.push(name)
      return
    }
    const { eol } = styleOf(workspace.source(body.path))
    const why = `${stepName(this.adaptation)} needs no code for it`
    workspace.edit(body.path, [park(workspace.text(body.path), name, why, [text], eol)])
    this.#parked.push(name)
  }
}

/**
 * What callers lose, by operation, as both files of a step state it. Nothing of the team's code if it does not parse.
 */
export function lossesIn(files: ReadonlyMap<string, string>, step: string): ReadonlyMap<string, string> {
  const workspace = new Workspace(files)
  const losses = derivedLosses(workspace, `${step}.derived.ts`)
  if (workspace.syntaxError(`${step}.ts`) !== undefined) return losses
  for (const { place } of writtenObjects(workspace, step)) {
    for (const member of bodyAt(workspace, place).members) {
      const loss = lossOf(member)
      if (member.name !== undefined && loss !== undefined) losses.set(member.name, loss)
    }
  }
  return losses
}

/** The object `losses` of a derived file. */
function derivedLosses(workspace: Workspace, path: string): Map<string, string> {
  const losses = new Map<string, string>()
  if (!workspace.has(path)) return losses
  for (const node of nodesIn(workspace.source(path))) {
    const isLosses =
      ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.name.text === 'losses'
    if (!isLosses || node.initializer === undefined || !ts.isObjectLiteralExpression(node.initializer))
      continue
    for (const member of node.initializer.properties)
      if (ts.isPropertyAssignment(member) && ts.isStringLiteralLike(member.initializer))
        losses.set(nameOf(member.name), member.initializer.text)
  }
  return losses
}

function nameOf(name: ts.PropertyName): string {
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : name.getText()
}

/** The objects of the type `Written` of a step. */
function writtenObjects(workspace: Workspace, step: string): readonly Container[] {
  const paths = workspace.paths.filter(
    (path) => !path.endsWith('.derived.ts') && workspace.text(path).includes(`${step}.derived`),
  )
  return discover(workspace, paths, new Map([['Written', 'Written']])).containers.get('Written') ?? []
}

/** Undefined: a member has none, or still that of its stub. */
function lossOf({ nodes }: Pick<Member, 'nodes'>): string | undefined {
  const loss = nodes.flatMap(nodesIn).find(isLoss)?.initializer.text
  return loss === undecided ? undefined : loss
}

type LossNode = ts.PropertyAssignment & { readonly initializer: ts.StringLiteralLike }

function isLoss(node: ts.Node): node is LossNode {
  return (
    ts.isPropertyAssignment(node) &&
    ts.isIdentifier(node.name) &&
    node.name.text === 'loss' &&
    ts.isStringLiteralLike(node.initializer)
  )
}

/** Whether a member is still as duet wrote it, in any formatting, without a comment. */
function isStub(body: Body, { slot }: Member, name: string): boolean {
  const { text } = body.row
  if (commentsIn(text, slot.own, slot.code.start).length > 0) return false
  const code = compact(text.slice(slot.code.start, slot.code.end))
  const key = compact(keyText(name))
  const detail = compact(stringText(unwritten(name)))
  if (code === `${key}:{gone:'not_implemented',detail:${detail}}`) return true
  const open = `${key}:{`
  if (!code.startsWith(open)) return false
  const body_ = code
    .slice(open.length, -1)
    .replace(`...parts[${compact(stringText(name))}],`, '')
    .replace(`loss:${compact(stringText(undecided))},`, '')
  const part = (one: string): RegExp =>
    new RegExp(
      `^${one}\\(${one}\\)\\{throw[A-Za-z_$][\\w$]*\\('not_implemented',${inPattern(detail)}\\)\\},?`,
    )
  return ['params', 'result', 'piece'].reduce((rest, one) => rest.replace(part(one), ''), body_) === ''
}

/** Code without white space, semicolons and trailing commas. */
function compact(code: string): string {
  return code
    .replace(/[\s;]+/g, '')
    .replaceAll('"', "'")
    .replaceAll(',}', '}')
    .replaceAll(',)', ')')
}
