import type { Group } from './groups.js'

/** What ledgers say of the parts of a group, each once. */
export function usageTexts({ parts }: Group): readonly string[] {
  const texts = [...new Set(parts.flatMap(({ usage }) => usage?.text ?? []))]
  const rest = texts.length - mostTexts
  return rest > 0 ? [...texts.slice(0, mostTexts), `and ${rest} more`] : texts
}

const mostTexts = 3
