import type { AnswerMedia } from './operation.js'

/**
 * The document's entry for a response's media type: by its name, else by a range that includes it.
 *
 * @param mediaType in lower case, without parameters
 */
export function answeredMedia(
  mediaType: string,
  answers: readonly AnswerMedia[] = [],
): AnswerMedia | undefined {
  const isIn = (range: string) =>
    range === '*/*' || (range.endsWith('/*') && mediaType.startsWith(range.slice(0, -1)))
  return answers.find(({ type }) => type === mediaType) ?? answers.find(({ type }) => isIn(type))
}
