// @module-tag long

import type { Violation } from 'duet-runtime'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Change, Proof } from '../../generator/diff/change/change.js'
import { compare } from '../../generator/diff/compare.js'
import { withUndeclared } from '../../generator/diff/proof/body-binding.js'
import { type Reception, rpcRequest } from '../../generator/diff/proof/calls/reception.js'
import { refusalOf, said } from '../../generator/diff/proof/calls/refusal.js'
import { restRequest } from '../../generator/diff/proof/calls/request.js'
import { Version } from '../../generator/diff/proof/calls/version.js'
import { prove } from '../../generator/diff/proof/prove.js'
import type { Json, JsonObject } from '../../generator/document/document.js'
import { isArray, isObject } from '../../generator/document/json.js'
import { sidesOf } from '../diff/compared.js'
import { runs } from '../runs.js'
import { documentsOf, operations } from './documents.js'
import { claimOf } from './rerun.js'

const numRuns = runs(8, 60)

it('no member and no element of a proof can be left out without another violation', async () => {
  let tried = 0
  await fc.assert(
    fc.asyncProperty(operations, async (all) => {
      const sides = await sidesOf(...documentsOf(all))
      const { changes } = await prove(compare(...sides), ...sides)
      const [old, fresh] = sides.flatMap(({ model }) => (model === undefined ? [] : [new Version(model)]))
      if (old === undefined || fresh === undefined) throw new Error('A document has no model')
      for (const change of changes) {
        if (change.proof.status !== 'verified') continue
        const { value } = change.proof
        const violations = await shownBy(change, change.proof, value, old, fresh)
        expect(violations, `${change.id} alone`).not.toBe(none)
        for (const less of lesser(value)) {
          tried += 1
          const title = `${change.id} by ${JSON.stringify(less)} instead of ${JSON.stringify(value)}`
          expect(await shownBy(change, change.proof, less, old, fresh), title).toBeGreaterThan(violations)
        }
      }
    }),
    { numRuns, endOnFailure: true },
  )
  expect(tried).toBeGreaterThan(numRuns)
})

/** Values with one member or one element less, at any depth. */
function* lesser(value: Json): Generator<Json> {
  if (isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield value.toSpliced(index, 1)
      for (const less of lesser(item)) yield value.with(index, less)
    }
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))
      for (const less of lesser(member)) yield { ...value, [name]: less }
    }
  }
}

type Verified = Extract<Proof, { status: 'verified' }>

/** Of a value that does not show what a proof shows. */
const none = Number.POSITIVE_INFINITY

/** How many violations a value has that has the verdicts of a proof over all of its protocols, for the same reason. */
async function shownBy(
  { id, operation, direction }: Change,
  { rest, jsonrpc, ...proof }: Verified,
  value: Json,
  old: Version,
  fresh: Version,
): Promise<number> {
  const [before, after] = [old, fresh].map((version) => version.operation(operation ?? ''))
  if (before === undefined || after === undefined) throw new Error('A version does not have the operation')
  const [was, is] = [await old.service(), await fresh.service()]
  const counted = (violations: readonly Violation[], text: string, protocol: string): number =>
    violations
      .map(said)
      .map(anyElement)
      .includes(anyElement(claimOf(text, protocol)))
      ? violations.length
      : none
  if (direction === 'response') {
    if ((await is.deliver(after, value)).violations !== undefined) return none
    return counted((await was.deliver(before, value)).violations ?? [], proof.old, 'REST')
  }
  const params = value as JsonObject
  const refused = ({ answer }: Reception, protocol: string): number =>
    counted(refusalOf(answer).violations, proof.new, protocol)
  let all = 0
  if (rest !== undefined) {
    const pair = { old, new: fresh, before, after }
    const written = id === 'request-query-names-refused' ? withUndeclared(pair).pair.before : before
    const request = await restRequest(written, params)
    if (typeof request === 'string' || (await was.receive(request)).reached === undefined) return none
    all += refused(await is.receive(request), 'REST')
  }
  if (jsonrpc === undefined) return all
  const request = rpcRequest(before.name, params)
  if ((await was.called(before.name, request)).reached === undefined) return none
  return all + refused(await is.called(before.name, request), 'JSON-RPC')
}

function anyElement(text: string): string {
  return text.replaceAll(/\/\d+(?=[/ ])/g, '/-')
}
