import { readFileSync } from 'node:fs'
import { type Contract, createApiOf, type ShadowChanges, type UsageEntry } from 'duet-runtime'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { passingOf } from '../../generator/adapt/passing.js'
import type { Credentials } from '../../generator/diff/change/change.js'
import { compare } from '../../generator/diff/compare.js'
import { isJson } from '../../generator/diff/facts/parts/media.js'
import { prove } from '../../generator/diff/proof/prove.js'
import { signsOf } from '../../generator/diff/usage/signs.js'
import type { JsonObject } from '../../generator/document/document.js'
import { emit } from '../../generator/emit/emit.js'
import { contractOf } from '../../generator/mock/contract.js'
import type { Model } from '../../generator/model/model.js'
import { handlersOf } from '../../generator/samples/handlers.js'
import { sidesOf } from '../diff/compared.js'
import { type Fence, sectionsOf } from '../fences.js'
import { runs } from '../runs.js'
import { documentsOf, operations } from './documents.js'

// What proves a change to a review shows it in the shadow of a service, too: each proof is sent to the old version, and
// its ledger names the change.

const head = 'openapi: 3.1.1\ninfo: { title: Shop, version: 1.0.0 }\n'
const page = readFileSync(new URL('proofs.md', import.meta.url), 'utf8')
const sections = sectionsOf(page).map(({ title, fences }) => [title, fences] as const)

describe('a ledger names the change for the proof of', () => {
  // One in four: each generates and runs two versions.
  const isQuick = (index: number) => index % 4 === 0
  const holds = async (_: string, fences: readonly Fence[]) => {
    const [old = '', fresh = ''] = fences.map(({ text }) => text)
    await shown(head + old, head + fresh)
  }

  it.each(sections.filter((_, index) => isQuick(index)))('%s', holds)
  it.each(sections.filter((_, index) => !isQuick(index)))('%s', { tags: 'long' }, holds)

  it('random operations', { tags: 'long' }, async () => {
    const property = fc.asyncProperty(operations, (all) => shown(...documentsOf(all)))
    await fc.assert(property, { numRuns: runs(8, 60), endOnFailure: true })
  })
})

/** Sends every proof of a breaking change. */
async function shown(old: string, fresh: string): Promise<void> {
  const sides = await sidesOf(
    old,
    fresh.replace(/"version":"[^"]*"|version: 1.0.0/, (text) =>
      text.startsWith('"') ? '"version":"2.0.0"' : 'version: 2.0.0',
    ),
  )
  const comparison = compare(...sides, { today: '2026-11-21' })
  const proven = await prove(comparison, ...sides)
  const [before, after] = sides.map(({ model }) => model)
  if (before === undefined || after === undefined) throw new Error('No model')
  const changes = signsOf(proven, ...sides, passingOf(before, after))
  if (changes === undefined) throw new Error('No model')
  const next = { contract: await contractOf(await emit(after, [], 'openapi.yaml')) }
  const contract = await contractOf(await emit(before, [], 'openapi.yaml'))
  for (const change of proven.changes) {
    const { proof, direction, level } = change
    if (level !== 'breaking' || proof.status !== 'verified' || direction === 'response') continue
    if (!proof.new.startsWith('rejects')) continue
    const calls = [
      ['rest', proof.rest],
      ['jsonrpc', proof.jsonrpc && asHttp(proof.jsonrpc, proof.jsonrpcPath, proof.credentials)],
    ] as const
    for (const [protocol, request] of calls) {
      if (request === undefined) continue
      const entries = await counted(contract, before, { next, changes }, request)
      expect(entries, `${change.id} over ${protocol}`).toMatchObject([{ protocol, sampled: 1 }])
      expect(fingerprints(entries), `${change.id} over ${protocol}`).toContain(change.fingerprint)
    }
  }
}

function fingerprints(entries: readonly UsageEntry[]): string[] {
  return entries.flatMap(({ hits }) => Object.keys(hits))
}

/** What the ledger of a new api has after one call. */
async function counted(
  contract: Contract,
  model: Model,
  shadow: { readonly next: { readonly contract: Contract }; readonly changes: ShadowChanges },
  request: JsonObject,
): Promise<readonly UsageEntry[]> {
  const recorded: UsageEntry[] = []
  const ledger = { record: (entries: readonly UsageEntry[]) => void recorded.push(...entries) }
  const api = createApiOf<Record<string, never>, object, object, string>(contract, {
    handlers: handlersOf(model.operations, () => null),
    authenticate: () => ({}),
    validateResponses: false,
    logger: false,
    shadow: { ...shadow, ledger },
  })
  const headers = request.headers as Record<string, string>
  const { body } = request
  const json = isJson(headers['content-type'] ?? '')
  await api.fetch(
    new Request(`http://127.0.0.1${String(request.url)}`, {
      method: String(request.method),
      headers,
      ...(body !== undefined && { body: json ? JSON.stringify(body) : String(body) }),
    }),
  )
  await new Promise((resolve) => setImmediate(resolve))
  await api.flushUsage()
  return recorded
}

function asHttp(envelope: JsonObject, path = '/', credentials?: Credentials): JsonObject {
  const { headers = {}, query = '' } = credentials ?? {}
  const url = query === '' ? path : `${path}?${query}`
  return { method: 'POST', url, headers: { ...headers, 'content-type': 'application/json' }, body: envelope }
}
