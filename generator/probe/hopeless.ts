import type { Model } from '../model/model.js'
import type { Exercised } from './exercised.js'
import type { Finding } from './finding.js'

/**
 * Why there is nothing to test at an address: it has none of the document's paths, or something else answers there.
 * Undefined if there is.
 */
export function hopelessness(
  findings: readonly Finding[],
  operations: readonly Exercised[],
  { basePath }: Pick<Model, 'basePath'>,
): string | undefined {
  const called = operations.filter(({ calls }) => calls > 0)
  const isReached = called.some((row) => row.isReached)
  if (called.length === 0) return undefined
  // Another protocol may fail alone.
  const overRest = findings.filter(({ protocol }) => protocol === 'rest')
  const found = new Set(overRest.map(({ operation }) => operation))
  const isEach = called.every(({ operation }) => found.has(operation))
  if (isEach && findings.every(({ excerpt }) => /^\s*<(!doctype|html)/i.test(excerpt)))
    return 'answers every call with an HTML page.'
  if (isReached) return undefined
  const [first] = findings
  if (isEach && findings.every(({ status }) => status !== null && status >= 300 && status < 400)) {
    const to = /which leads to ([^,]*)/.exec(first?.message ?? '')?.[1] ?? 'another address'
    return `redirects every call (${first?.status}), to ${to}. Redirects are not followed. If that is the server, test that address.`
  }
  const isElsewhere =
    findings.every(({ status }) => status === 404) && called.every(({ why = '' }) => why.endsWith(' 404'))
  if (!isElsewhere) return undefined
  const hint =
    basePath === '' ? 'Add their base path to the address' : `The path of its first server is ${basePath}`
  return `answers every call with 404: the document's paths are elsewhere. ${hint}.`
}
