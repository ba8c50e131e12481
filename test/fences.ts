/** A fenced block of a Markdown page: three backticks, a kind, a target, text. */
export interface Fence {
  /** Its number in the page, from 0. */
  readonly index: number
  /** The first word: the language, `diagnostics`, `report`. */
  readonly kind: string
  /** The words after the kind: `types.ts#Client`. */
  readonly target: string
  readonly text: string
  /** The text between the previous fence and this one. */
  readonly before: string
}

export interface Section {
  readonly title: string
  readonly fences: readonly Fence[]
}

const pattern = /^```(\w+)(?: (.*))?\n([\s\S]*?)^```$/gm

/** The fences of a page, in order. */
export function fencesOf(page: string): readonly Fence[] {
  let end = 0
  return [...page.matchAll(pattern)].map((match, index) => {
    const [whole, kind = '', target = '', text = ''] = match
    const before = page.slice(end, match.index)
    end = match.index + whole.length
    return { index, kind, target, text, before }
  })
}

/** The sections of a page, each beginning with a heading of the second level. */
export function sectionsOf(page: string): readonly Section[] {
  const sections: { title: string; fences: Fence[] }[] = []
  for (const fence of fencesOf(page)) {
    for (const [, title = ''] of fence.before.matchAll(/^## (.*)$/gm)) sections.push({ title, fences: [] })
    sections.at(-1)?.fences.push(fence)
  }
  return sections
}

/**
 * A page with other fences.
 *
 * @param change the replacement of a fence. Undefined: the fence stays
 */
export function withFences(
  page: string,
  change: (fence: Fence) => Partial<Pick<Fence, 'kind' | 'target' | 'text'>> | undefined,
): string {
  const fences = fencesOf(page)
  let index = 0
  return page.replace(pattern, (whole) => {
    const fence = fences[index++]
    const changed = fence && change(fence)
    if (fence === undefined || changed === undefined) return whole
    const { kind, target, text } = { ...fence, ...changed }
    const end = text === '' || text.endsWith('\n') ? '' : '\n'
    return `\`\`\`${`${kind} ${target}`.trimEnd()}\n${text}${end}\`\`\``
  })
}
