import type { Change, Comparison } from '../change/change.js'
import { inert } from '../change/inert.js'
import type { Level } from '../change/level.js'
import { levels } from '../change/level.js'
import type { Gate, Objection } from '../gate/gate.js'
import { headline } from './rows.js'
import { worstFirst } from './sections.js'

import { reachText, waivedText } from './words.js'

/** GitHub shows no more annotations of one kind in a step. */
const shown = 10

type Kind = 'error' | 'warning' | 'notice'

/**
 * Workflow commands that GitHub shows at the lines of a pull request, the worst first. What fails the gate is an error.
 */
export function comparisonAnnotations(
  { changes }: Comparison,
  { failing, objections }: Pick<Gate, 'failing' | 'objections'>,
): string {
  const kinds: readonly Kind[] = ['error', 'warning', 'notice']
  const failed = new Set(failing)
  const kindOf = (change: Change): Kind =>
    failed.has(change)
      ? 'error'
      : change.waiver === null && change.adapter === undefined
        ? kindOfLevel[change.level]
        : 'notice'
  const shownChanges = worstFirst(changes).filter(
    (change) => change.level !== levels.at(-1) || failed.has(change),
  )
  return kinds
    .flatMap((kind) => {
      const all = [
        ...(kind === 'error' ? objections.map(objected) : []),
        ...shownChanges.filter((change) => kindOf(change) === kind).map((change) => annotation(kind, change)),
      ]
      const rest = all.length - shown
      return [
        ...all.slice(0, shown).map((line) => `${line}\n`),
        ...(rest > 0
          ? [`${rest} more of kind ${kind}: GitHub shows ${shown} of a kind. Another format has all.\n`]
          : []),
      ]
    })
    .join('')
}

/** For changes that do not fail the gate. */
const kindOfLevel: { readonly [level in Level]: Kind } = {
  breaking: 'warning',
  dangerous: 'warning',
  compatible: 'notice',
  info: 'notice',
}

function annotation(kind: Kind, change: Change): string {
  const { operation, operations, id, level, waiver } = change
  const place = change.new ?? change.old
  const where = place === null ? {} : { file: place.file, line: place.line, col: place.column }
  const title = `${level}: ${operations.length > 1 ? 'shared schema' : (operation ?? 'the document')}`
  const reach = operations.length > 1 ? ` ${reachText(change)}` : ''
  const waived = waiver === null ? '' : ` (waived ${waivedText(waiver)})`
  return command(kind, { ...where, title }, `${headline(change)}${reach} [${id}]${waived}`)
}

function objected({ id, message, at }: Objection): string {
  const where = at === null ? {} : { file: at.file, line: at.line, col: at.column }
  return command('error', { ...where, title: 'the gate' }, `${message} [${id}]`)
}

function command(kind: Kind, properties: Readonly<Record<string, string | number>>, text: string): string {
  const named = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`)
  return `::${kind} ${named.join(',')}::${data(text)}`
}

/** Escapes for the runner's command parser: percent signs and line ends, and in properties their separators. */
function data(text: string): string {
  return text.split(/\r?\n/).map(inert).join('\n').replaceAll('%', '%25').replaceAll('\n', '%0A')
}

function property(value: string | number): string {
  return data(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
