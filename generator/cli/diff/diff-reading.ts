import { readFileSync, statSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import type { Code } from '../../diagnostics/catalogue.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { Side } from '../../diff/change/side.js'
import { text } from '../../document/cursor.js'
import type { Document, Json } from '../../document/document.js'
import { isObject } from '../../document/json.js'
import type { Loaded } from '../../load/load.js'
import { areAlike } from '../../load/text/json-alike.js'
import type { Before } from '../../model/build/build.js'
import { findConfig } from '../../project/config.js'
import { projectSpecs } from '../../project/project-specs.js'
import { UsageError } from '../../project/usage-error.js'
import { namingOf, untitled } from '../shared/naming.js'
import type { Findings } from '../shared/report.js'
import type { Stages } from '../shared/stages.js'

export interface Read extends Findings {
  /** The number of errors that the comparison tolerates. */
  readonly tolerated: number
  /** Absent if there are errors that prevent a comparison. */
  readonly side?: Side
}

/**
 * The file, and the folder that it is relative to. `project`: the folder of the config file, if the version
 * is read from elsewhere.
 */
type VersionFile = { readonly file: string; readonly cwd: string; readonly project?: string }

/**
 * Reads both versions. If they have the same content, even in different bytes, it is examined once and needs
 * no model.
 */
export async function readVersions(
  [old, fresh]: readonly [VersionFile, VersionFile],
  stages: Pick<Stages, 'buildModel'>,
  remote?: boolean,
  project = fresh.cwd,
): Promise<readonly [Read, Read]> {
  const likeness = likenessOf(old, fresh)
  const one = await load(old, remote)
  // References of the new version may lead to other files.
  const isAlone = one.files.length === 1
  if (isAlone && likeness === 'tokens' && isSound(one)) {
    const once = await examinedOnce(old, fresh, one)
    if (once !== undefined) return once
  }
  const other = isAlone && likeness === 'bytes' ? one : await load(fresh, remote)
  const { areEqual, areRoutedAlike } = await import('../../diff/same/unchanged.js')
  const [was, is] = [one, other].map(({ document }) => document?.root)
  if (other === one || (isSound(one) && isSound(other) && areEqual(was, is) && areRoutedAlike(was, is))) {
    const once = await examinedOnce(old, fresh, one, other)
    if (once !== undefined) return once
  }
  const found = await linted(other)
  const sound = await soundParts(one, other, found)
  const titles = titlesOf([old, fresh], [one, other], project)
  const before = await examined(old.file, one, await linted(one, sound), { stages, project, titles })
  return [before, await examined(fresh.file, other, found, { stages, project, titles, before: before.side })]
}

/** The titles of an API that is not the project's, as far as the files say. Undefined if it may be. */
function titlesOf(
  files: readonly VersionFile[],
  loaded: readonly Loaded[],
  project: string,
): readonly string[] | undefined {
  const known = new Set(documentsOf(project).map((file) => resolve(project, file)))
  if (files.some(({ file, cwd }) => known.has(resolve(cwd, file)))) return undefined
  return loaded.map(({ document }) => text(document?.root.info ?? null, 'title') ?? untitled)
}

/** The documents of a project. Empty if it has none. */
function documentsOf(project: string): readonly string[] {
  try {
    return projectSpecs(project)
  } catch (error) {
    if (error instanceof UsageError) return []
    throw error
  }
}

/** Undefined if each version must be examined separately. `other`: absent if no report will show it. */
async function examinedOnce(
  old: VersionFile,
  fresh: VersionFile,
  one: Loaded,
  { files }: Pick<Loaded, 'files'> = one,
): Promise<readonly [Read, Read] | undefined> {
  const before = await examined(old.file, one, await lintedFrame(one))
  return before.side && [before, { ...before, file: fresh.file, files }]
}

async function linted({ document }: Loaded, sound?: ReadonlySet<Json>): Promise<readonly Diagnostic[]> {
  const [{ lint }, { comparedRules }] = await Promise.all([
    import('../../lint/lint.js'),
    import('../../lint/rules/rules.js'),
  ])
  return document === undefined ? [] : lint(document, undefined, comparedRules, sound)
}

/** What lint reports of the document's frame. Nothing else refuses the comparison of a document with itself. */
async function lintedFrame({ document }: Loaded): Promise<readonly Diagnostic[]> {
  if (document === undefined) return []
  const [{ lint }, { frameRules }] = await Promise.all([
    import('../../lint/lint.js'),
    import('../../lint/rules/rules.js'),
  ])
  const { info: _, ...others } = document.root
  const parts = Object.values(others).flatMap((part) => [
    part,
    ...(isObject(part) ? Object.values(part) : []),
  ])
  return lint(document, undefined, frameRules, new Set(parts))
}

/**
 * The parts that the new version has in common with the old one, if the old one has no findings that affect
 * the comparison.
 */
async function soundParts(
  { document: old }: Loaded,
  { document: fresh }: Loaded,
  found: readonly Diagnostic[],
): Promise<ReadonlySet<Json>> {
  if (old === undefined || fresh === undefined) return new Set()
  const [{ samePartsOf }, { isFlaw }] = await Promise.all([
    import('../../diff/same/unchanged.js'),
    import('../../diff/change/flaws.js'),
  ])
  const wrong = new Set(
    found
      .filter((one) => isError(one) || isFlaw(one))
      // An operation or a component: #/paths/~1clients/get, #/components/schemas/Client.
      .map(({ pointer = '' }) => pointer.split('/').slice(0, 4).join('/')),
  )
  const same = [...samePartsOf(old.root, fresh.root).values()]
  // Names of operations in callbacks must be unique in the whole document.
  const isInOrder = (pointer: string, value: Json): boolean =>
    !wrong.has(pointer) && !(isObject(value) && Object.hasOwn(value, 'callbacks'))
  return new Set(same.flatMap(([pointer, value]) => (isInOrder(pointer, value) ? [value] : [])))
}

function isSound({ document, diagnostics }: Loaded): boolean {
  return document !== undefined && !diagnostics.some(isError)
}

/** Whether two files are equal byte by byte, or are the same JSON apart from white space. */
function likenessOf(...places: readonly VersionFile[]): 'bytes' | 'tokens' | undefined {
  // The name of a file also decides how to read it.
  const [one, other] = places.map(({ file, cwd }) => resolve(cwd, file))
  if (one === undefined || other === undefined || extname(one) !== extname(other)) return undefined
  const isJson = extname(one) === '.json'
  try {
    if (!isJson && statSync(one).size !== statSync(other).size) return undefined
    const [bytes, otherBytes] = [readFileSync(one), readFileSync(other)]
    if (bytes.equals(otherBytes)) return 'bytes'
    return isJson && areAlike(bytes, otherBytes) ? 'tokens' : undefined
  } catch {
    return undefined
  }
}

/**
 * Reads one version for a comparison. Errors that leave the rest readable become warnings here: a released
 * document cannot be corrected any more, and its reviewer still wants to know how the next version affects
 * callers.
 */
export async function readVersion(
  file: string,
  cwd: string,
  stages: Pick<Stages, 'buildModel'>,
  remote = false,
  project = cwd,
  before?: Side,
): Promise<Read> {
  const loaded = await load({ file, cwd, project }, remote)
  return examined(file, loaded, await linted(loaded), { stages, project, before })
}

async function load({ file, cwd, project = cwd }: VersionFile, remote = false): Promise<Loaded> {
  const { loadDocument } = await import('../../load/load.js')
  const { reading = {} } = findConfig(project) ?? {}
  const overlays = reading.overlays?.map((overlay) => resolve(project, overlay))
  return loadDocument(file, { cwd, remote, reading: { ...reading, overlays } })
}

interface Modelling {
  readonly stages: Pick<Stages, 'buildModel'>
  /** The folder whose config file and generated versions determine names. */
  readonly project: string
  /** The titles of the API, if it is not the project's. */
  readonly titles?: readonly string[] | undefined
  /** The older version. Its operations keep their names if names clash. */
  readonly before?: Side | undefined
}

/** `found`: what lint reports. `modelling`: absent if the document is compared with itself, which needs no model. */
async function examined(
  file: string,
  { document, files, diagnostics }: Loaded,
  found: readonly Diagnostic[],
  modelling?: Modelling,
): Promise<Read> {
  const [{ lint }, { uncomparedRules }, { arrange }, { readSide }, { flawsOf }] = await Promise.all([
    import('../../lint/lint.js'),
    import('../../lint/rules/rules.js'),
    import('../../diagnostics/diagnostic.js'),
    import('../../diff/change/side.js'),
    import('../../diff/change/flaws.js'),
  ])
  const errors = [...diagnostics]
  const read = (all: readonly Diagnostic[]): Read => {
    const tolerated = arrange(errors, file).filter(isError).length
    return { file, diagnostics: arrange(all, file), files, tolerated }
  }
  if (document === undefined) return read(diagnostics)
  errors.push(...found)
  const lost = ofFrame(errors)
  const checked = errors.map((one) => (lost.has(one) ? one : tolerated(one)))
  // An invalid document is reported in full.
  if (checked.some(isError)) return read([...checked, ...lint(document, undefined, uncomparedRules)])
  if (modelling === undefined)
    return { ...read(checked), side: readSide(document, undefined, flawsOf(document, checked)) }
  const built = await modelOf(document, modelling)
  // Lint stops before the model stage, which repeats its errors.
  if (!errors.some(isError)) errors.push(...built.diagnostics)
  const all = [...checked, ...built.diagnostics.map(tolerated)]
  if (all.some(isError)) return read(all)
  return { ...read(all), side: readSide(document, built.model, flawsOf(document, all)) }
}

type Built = Awaited<ReturnType<Stages['buildModel']>>

async function modelOf(document: Document, { stages, project, titles, before }: Modelling): Promise<Built> {
  const naming = namingOf(document, project, { titles })
  const known = before?.model
  const isLike = known !== undefined && known.naming === naming.strategy
  const earlier =
    isLike && naming.earlier?.length === 0
      ? known.operations.map(({ name, isNameStated, operationId, rest: { method, path } }) => ({
          name,
          operationId,
          method,
          path,
          stated: isNameStated,
        }))
      : (naming.earlier ?? [])
  return await stages.buildModel(
    document,
    { ...naming, earlier },
    before && (await sharing(before, document)),
  )
}

/** Finds the operations that need not be read again, because the older version has exactly the same text. */
async function sharing({ document: old, model, endpoints }: Side, { root }: Document) {
  if (model === undefined) return undefined
  const { samePartsOf } = await import('../../diff/same/unchanged.js')
  const parts = samePartsOf(old.root, root)
  const known = new Map(endpoints.map((endpoint) => [endpoint.operation.pointer, endpoint]))
  const hasSame: Before['hasSame'] = ({ pathItem, operation }) => {
    const one = known.get(operation.pointer)
    return (
      one !== undefined &&
      parts.haveItem(one.item.value, pathItem.value) &&
      parts.have(one.operation.value, operation.value)
    )
  }
  return { model, hasSame }
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error'
}

function tolerated(diagnostic: Diagnostic): Diagnostic {
  return fatal.has(diagnostic.code) ? diagnostic : { ...diagnostic, severity: 'warning' }
}

/**
 * Errors after which a document describes no service: it has neither title nor version, or no operations. A
 * document that only misses the title or the version is still usable.
 */
function ofFrame(errors: readonly Diagnostic[]): ReadonlySet<Diagnostic> {
  const isOf = ({ code, pointer = '' }: Diagnostic): boolean =>
    frame.has(pointer) && (code === 'missing-field' || code === 'wrong-type')
  const found = errors.filter(isOf)
  const lacking = found.filter(({ code, pointer }) => code === 'missing-field' && pointer === '#/info')
  return new Set(found.filter((one) => lacking.length > 1 || !lacking.includes(one)))
}

const frame: ReadonlySet<string> = new Set(['#', '#/info', '#/paths', '#/webhooks'])

/** Errors after which the rest of the document has no clear meaning. After all others there is something to compare. */
const fatal: ReadonlySet<Code> = new Set<Code>([
  'file-unreadable',
  'json-syntax',
  'yaml-syntax',
  'yaml-tag',
  'yaml-alias',
  'yaml-merge',
  'not-json',
  'number-too-large',
  'duplicate-key',
  'document-too-deep',
  'not-openapi',
  'openapi-version',
  'reference-remote',
  'reference-outside',
  'reference-file-missing',
  'reference-unsupported',
])
