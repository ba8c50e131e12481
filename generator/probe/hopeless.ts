import type { Exercised } from './exercised.js'
import type { Finding } from './finding.js'

/** Why there is nothing to test at an address: it has none of the document's paths. Undefined if there is. */
export function hopelessness(
  findings: readonly Finding[],
  operations: readonly Exercised[],
  basePath: string,
): string | undefined {
  const called = operations.filter(({ calls }) => calls > 0)
  if (called.length === 0 || called.some(({ isReached }) => isReached)) return undefined
  const isElsewhere =
    findings.every(({ status }) => status === 404) && called.every(({ why = '' }) => why.endsWith(' 404'))
  if (!isElsewhere) return undefined
  const hint =
    basePath === '' ? 'Add their base path to the address' : `The path of its first server is ${basePath}`
  return `answers every call with 404: the document's paths are elsewhere. ${hint}.`
}
