import { type Comparison, shownPath } from './comparison.js'

/**
 * Why generating would destroy something that duet did not write, as lines for a person. Undefined if it
 * would not. Ignores other files at the top of generated/.
 */
export function refusal(comparisons: readonly Comparison[]): string[] | undefined {
  const foreign = comparisons.flatMap((one) => {
    const paths = one.output.shared ? one.foreign.filter((path) => one.output.files.has(path)) : one.foreign
    return paths.map((path) => shownPath(one, path))
  })
  if (foreign.length === 0) return undefined
  return [
    'Nothing has been written. These files are in the way, and duet did not write them:',
    ...foreign.map((path) => `  ${path}`),
    'Remedy: move or delete them, or choose another folder with --out.',
  ]
}
