import type { Change, Comparison, Level } from '../change.js'
import type { Gate } from '../gate/gate.js'
import { handlersLine } from '../handlers.js'
import { inert } from './inert.js'
import { markdownCode, markdownFence, markdownText } from './markdown-text.js'
import { headline, worstFirst } from './sections.js'
import { callsOf, waivedText } from './text.js'
import {
  answersOf,
  bumpText,
  countsOf,
  onlyText,
  placeText,
  protocolNames,
  protocols,
  remarks,
  verdictMeanings,
} from './words.js'

/** By this an automation finds the comment that it wrote before. */
const marker = '<!-- duet-diff -->'

/** GitHub takes 65,536 characters in a comment; counted in bytes here, and with room for what closes the comment. */
const limit = 65_000

/** A comment for a pull request: verdicts first, then what breaks, with proof; the rest collapsed. */
export function comparisonMarkdown(comparison: Comparison, gate?: Gate): string {
  const { changes } = comparison
  const waived = changes.filter(({ waiver }) => waiver !== null)
  const open = worstFirst(changes.filter(({ waiver }) => waiver === null))
  const page = new Page(head(comparison, gate))
  for (const level of ['breaking', 'dangerous'] as const)
    page.section(
      `### ${titles[level]}`,
      open.filter((change) => change.level === level),
      comparison,
    )
  for (const level of ['compatible', 'info'] as const)
    page.folded(
      titles[level],
      open.filter((change) => change.level === level),
      comparison,
    )
  page.folded('Waived', waived, comparison)
  return page.text()
}

/** Characters; a few long ones would leave no room for what else has changed. */
const longestProof = 1500

const titles: { readonly [level in Level]: string } = {
  breaking: 'Breaking',
  dangerous: 'Dangerous',
  compatible: 'Compatible',
  info: 'For information',
}

function head(comparison: Comparison, gate: Gate | undefined): string {
  const { old, new: fresh, verdict, bump, changes } = comparison
  const rows = protocols.map((protocol) => {
    const counts = countsOf(changes, protocol)
    const cells = (['breaking', 'dangerous', 'compatible', 'info'] as const).map(
      (level) => counts.find((count) => count.level === level)?.count ?? 0,
    )
    return `| ${protocolNames[protocol]} | **${verdict[protocol]}** | ${cells.join(' | ')} | ${verdictMeanings[verdict[protocol]]} |`
  })
  const look = handlersLine(changes)
  return [
    marker,
    `## API review: ${markdownText(old.version)} to ${markdownText(fresh.version)}`,
    '',
    '| protocol | verdict | breaking | dangerous | compatible | info | |',
    '| --- | --- | ---: | ---: | ---: | ---: | --- |',
    ...rows,
    '',
    `Version bump: ${bumpText(comparison)}${bump.ok ? '' : ' (**not enough**)'}. ` +
      `Compared: ${markdownCode(old.file)} with ${markdownCode(fresh.file)}.`,
    ...(gate === undefined || gate.ok
      ? []
      : ['', `**The gate fails**: ${markdownText(gate.reasons.join(', '))}.`]),
    ...(look === undefined ? [] : ['', markdownText(look)]),
    ...remarks(comparison).flatMap((remark) => ['', `> ${markdownText(remark)}`]),
    '',
  ].join('\n')
}

/** Text that grows up to the limit; what does not fit is counted. */
class Page {
  #text: string
  #bytes: number
  #left = 0

  constructor(head: string) {
    this.#text = head
    this.#bytes = Buffer.byteLength(head)
  }

  section(title: string, changes: readonly Change[], comparison: Comparison): void {
    if (changes.length === 0) return
    this.#fill(`\n${title} (${changes.length})\n\n`, '', changes, comparison)
  }

  folded(title: string, changes: readonly Change[], comparison: Comparison): void {
    if (changes.length === 0) return
    const open = `\n<details><summary>${title} (${changes.length})</summary>\n\n`
    this.#fill(open, '\n</details>\n', changes, comparison)
  }

  text(): string {
    if (this.#left === 0) return this.#text
    const more = `${this.#left} more ${this.#left === 1 ? 'change is' : 'changes are'} left out`
    return `${this.#text}\n_${more}: a comment on GitHub holds 65,536 characters. \`duet diff\` with \`--format html\` shows all._\n`
  }

  #fill(open: string, close: string, changes: readonly Change[], comparison: Comparison): void {
    const frame = Buffer.byteLength(open + close)
    const first = changes[0] === undefined ? '' : item(changes[0], comparison, false)
    if (this.#left > 0 || this.#bytes + frame + Buffer.byteLength(first) > limit) {
      this.#left += changes.length
      return
    }
    this.#bytes += frame
    const items: string[] = []
    for (const change of changes) {
      const text = [true, false]
        .map((full) => item(change, comparison, full))
        .find((candidate) => this.#left === 0 && this.#bytes + Buffer.byteLength(candidate) <= limit)
      if (text === undefined) this.#left += 1
      else {
        items.push(text)
        this.#bytes += Buffer.byteLength(text)
      }
    }
    this.#text += open + items.join('') + close
  }
}

function item(change: Change, comparison: Comparison, isFull: boolean): string {
  const { operation, operations, id, waiver } = change
  const subject =
    operations.length > 1
      ? `in ${operations.length} operations (${operations.slice(0, 3).map(markdownCode).join(', ')}${operations.length > 3 ? ', …' : ''})`
      : operation === null
        ? 'the document'
        : markdownCode(operation)
  const only = onlyText(change)
  const tags = `${only === undefined ? '' : ` (${only})`}${waiver === null ? '' : `, waived ${markdownText(waivedText(waiver))}`}`
  const line = `- ${subject}: ${markdownText(headline(change))}${tags} ${markdownCode(id)}\n`
  const proof = isFull ? proofOf(change, comparison) : ''
  return `${line}${proof}`
}

/** Below its list item, and therefore indented. */
function proofOf(change: Change, comparison: Comparison): string {
  const { proof } = change
  if (change.level !== 'breaking' && change.level !== 'dangerous') return ''
  const places = [change.old, change.new].flatMap((place) => (place === null ? [] : [placeText(place)]))
  const told =
    proof.status === 'unproven'
      ? [`Not proven: ${markdownText(proof.reason)}.`]
      : proof.status === 'not-applicable'
        ? []
        : [
            `${answersOf(proof, comparison)
              .map(({ version, answer }) => `${markdownText(version)} ${markdownText(answer)}`)
              .join('; ')}.`,
            ...callsOf(proof).map(({ title, text, isCommand }) =>
              text.length > longestProof
                ? `${title}: too long for a comment; other formats show it.`
                : markdownFence(inert(text), isCommand ? 'sh' : 'json'),
            ),
          ]
  const lines = [
    ...told,
    `${places.map(markdownCode).join(' to ')}${places.length > 0 ? ', ' : ''}fingerprint ${markdownCode(change.fingerprint)}`,
  ]
  const title = proof.status === 'verified' ? 'Proof' : 'Details'
  const block = [`<details><summary>${title}</summary>`, '', lines.join('\n\n'), '', '</details>', ''].join(
    '\n',
  )
  return block.replace(/^(?=.)/gm, '  ')
}
