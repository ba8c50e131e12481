// @module-tag long

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compare } from '../../generator/diff/compare.js'
import { prove } from '../../generator/diff/proof/prove.js'
import { sidesOf } from '../diff/compared.js'
import { runs } from '../runs.js'
import { documentsOf, operations } from './documents.js'
import { rerun } from './rerun.js'
import { served } from './served.js'

const numRuns = runs(8, 60)

it('a proof holds for services of both versions over HTTP', async () => {
  let [verified, breaking] = [0, 0]
  await fc.assert(
    fc.asyncProperty(operations, async (all) => {
      const sides = await sidesOf(...documentsOf(all))
      const comparison = await prove(compare(...sides), ...sides)
      const models = sides.flatMap(({ model }) => model ?? [])
      const [before, after] = await Promise.all(models.map(served))
      if (before === undefined || after === undefined) throw new Error('A document has no model')
      try {
        for (const change of comparison.changes) {
          if (change.level === 'breaking') breaking += 1
          if (change.proof.status !== 'verified') continue
          if (change.level === 'breaking') verified += 1
          await rerun(change, before, after)
        }
      } finally {
        await Promise.all([before.close(), after.close()])
      }
    }),
    { numRuns, endOnFailure: true },
  )
  expect(verified).toBeGreaterThan(0.8 * breaking)
})
