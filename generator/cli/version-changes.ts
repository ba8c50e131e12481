import { compare } from '../diff/compare.js'
import { flawsOf } from '../diff/flaws.js'
import { headline } from '../diff/report/sections.js'
import { readSide, type Side } from '../diff/side.js'
import type { VersionChanges } from '../reference/neighbours.js'
import type { Examined } from './examine.js'

/** What callers notice between two versions: without proofs, and the same on every day. */
export function versionChanges(old: Examined, fresh: Examined): VersionChanges {
  const before = sideOf(old)
  const { changes } = compare(before, sideOf(fresh), { today: beforeEverySunset })
  return {
    since: before.version,
    changes: changes
      .filter(({ level }) => level !== 'info')
      .map((change) => {
        const { level, protocols, operations } = change
        return { level, protocols, operations, message: headline(change) }
      }),
  }
}

/** Whoever goes from one version to the next loses what is gone, whether or not its end had come. */
const beforeEverySunset = '0000-01-01'

function sideOf({ file, document, model, diagnostics }: Examined): Side {
  if (document === undefined) throw new Error(`${file} is compared, and has errors`)
  return readSide(document, model, flawsOf(document, diagnostics))
}
