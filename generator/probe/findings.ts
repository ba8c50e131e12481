import type { Finding } from './finding.js'

/** The findings of a run. One fault that many calls show is one finding: that of the first call. */
export class Findings {
  readonly #byFingerprint = new Map<string, Finding>()

  add(finding: Finding): void {
    if (!this.#byFingerprint.has(finding.fingerprint)) this.#byFingerprint.set(finding.fingerprint, finding)
  }

  get count(): number {
    return this.#byFingerprint.size
  }

  get all(): readonly Finding[] {
    return [...this.#byFingerprint.values()]
  }
}
