import type { Change } from '../../diff/change/change.js'
import { flawsOf } from '../../diff/change/flaws.js'
import { readSide, type Side } from '../../diff/change/side.js'
import { compare } from '../../diff/compare.js'
import { headline } from '../../diff/report/rows.js'
import { parsePointer } from '../../document/pointer.js'
import type { VersionChanges } from '../../reference/neighbours.js'
import type { Examined } from '../shared/examine.js'

/** The changes between two versions, with texts. Without proofs, and independent of the date. */
export function versionChanges(old: Examined, fresh: Examined): VersionChanges {
  const before = sideOf(old)
  const { changes } = compare(before, sideOf(fresh), { today: beforeEverySunset })
  return {
    since: before.version,
    changes: changes.map((change) => {
      const { level, protocols, operations } = change
      return { level, protocols, operations, message: headline(change), schema: schemaOf(change) }
    }),
  }
}

/** `Client` of `#/components/schemas/Client/properties/name`. */
function schemaOf({ operations, old, new: fresh }: Change): string | null {
  if (operations.length === 1) return null
  const [components, section, name] = parsePointer((fresh ?? old)?.pointer ?? '') ?? []
  return components === 'components' && section === 'schemas' ? (name ?? null) : null
}

/** Callers who upgrade lose what was removed, whether or not its sunset had passed. */
const beforeEverySunset = '0000-01-01'

function sideOf({ file, document, model, diagnostics }: Examined): Side {
  if (document === undefined) throw new Error(`${file} is compared although it has errors`)
  return readSide(document, model, flawsOf(document, diagnostics))
}
