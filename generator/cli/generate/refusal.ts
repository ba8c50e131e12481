import { type Comparison, shownPath } from './comparison.js'

/**
 * Why generating would destroy something that duet has not written, as lines for a person; undefined where it
 * would not. What lies beside the package's own files at the top of generated/ is left alone.
 */
export function refusal(comparisons: readonly Comparison[]): string[] | undefined {
  const foreign = comparisons.flatMap((one) => {
    const paths = one.output.owned ? one.foreign.filter((path) => one.output.files.has(path)) : one.foreign
    return paths.map((path) => shownPath(one, path))
  })
  if (foreign.length === 0) return undefined
  return [
    'Nothing has been written, since duet has not written these files and would destroy or mix with them:',
    ...foreign.map((path) => `  ${path}`),
    'Remedy: move or delete them, or name another folder by --out.',
  ]
}
