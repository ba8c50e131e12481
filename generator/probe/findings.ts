import type { Protocol } from 'duet-runtime'
import type { HttpRequest } from '../diff/proof/calls/exchange.js'
import { curlOf } from '../diff/report/curl.js'
import type { JsonObject } from '../document/document.js'
import { type Finding, fingerprintOf, type Subject } from './finding.js'
import type { Fault } from './judge/fault.js'
import type { Authentication, Secrets } from './secrets.js'
import type { NoResponse, TargetResponse } from './target.js'

/** A request that was sent, without credentials, and what came of it. */
export interface SentRequest {
  readonly operation: Subject
  readonly protocol: Protocol
  readonly request: HttpRequest
  readonly answer: TargetResponse | NoResponse
  readonly authentication: Authentication | undefined
}

/** The findings of a run. One fault that many calls show is one finding: that of the first call. */
export class Findings {
  readonly #byFingerprint = new Map<string, Finding>()

  /** @param origin of the server */
  constructor(readonly origin: string) {}

  /** Adds what an answer contradicts. */
  add(faults: readonly Fault[], sent: SentRequest, secrets: Secrets): void {
    const { operation, protocol, answer, authentication } = sent
    for (const { kind, detail, at, message } of faults) {
      const fingerprint = fingerprintOf(kind, operation, protocol, detail)
      if (this.#byFingerprint.has(fingerprint)) continue
      const { method, url, headers, body } = secrets.shown(sent.request, authentication)
      const shown: JsonObject = {
        ...{ method, url: this.origin + url, headers: { ...headers } },
        ...(body !== undefined && { body }),
      }
      this.#byFingerprint.set(fingerprint, {
        ...{ kind, operation: operation.name, protocol, at },
        message: secrets.redacted(message),
        request: shown,
        curl: curlOf(shown, secrets.credentials(authentication)),
        status: 'status' in answer ? answer.status : null,
        excerpt: 'body' in answer ? secrets.redacted(answer.body).slice(0, excerptLength) : '',
        ...{ fingerprint, waiver: null },
      })
    }
  }

  get count(): number {
    return this.#byFingerprint.size
  }

  get all(): readonly Finding[] {
    return [...this.#byFingerprint.values()]
  }
}

/** Characters of a body that a report shows. */
const excerptLength = 300
