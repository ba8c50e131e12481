import type { Validator } from 'duet-runtime'
import type { VersionReading } from '../../adapt/version-reading.js'
import { Containment } from '../../contains/containment.js'
import type { JsonObject } from '../../document/document.js'
import { clone, isObject } from '../../document/json.js'
import type { Operation } from '../../model/model.js'
import { pathText, sitesOf, withValue } from '../schema-site.js'
import type { Case } from './case.js'

/** Calls that the schema of an earlier version accepts and that of the present one refuses, one for each place. */
export class NarrowingCases {
  readonly #containment = new Containment({ dialect: '2020-12', arithmetic: 'decimals', isChecked: true })
  readonly #now: ReadonlyMap<string, Operation>

  constructor(
    readonly earlier: VersionReading,
    readonly now: VersionReading,
  ) {
    this.#now = new Map(now.model.operations.map((operation) => [operation.name, operation]))
  }

  /**
   * @param bases valid params of the earlier version, from which the cases differ in one place
   * @param accepts the validator of the earlier version
   */
  of(operation: Operation, bases: readonly JsonObject[], accepts: Validator): Case[] {
    const now = this.#now.get(operation.name)
    if (now === undefined) return []
    const sites = new Map(sitesOf(this.now, now.params).map((site) => [pathText(site.way), site]))
    return sitesOf(this.earlier, operation.params).flatMap(({ way, schema }): Case[] => {
      const other = sites.get(pathText(way))
      if (way.length === 0 || other === undefined) return []
      const [before, after] = [this.earlier, this.now].map((reading, index) =>
        this.#containment.subject(reading.document, reading.of(index === 0 ? schema : other.schema)),
      )
      if (before === undefined || after === undefined) return []
      const verdict = this.#containment.decide(before, after)
      if (verdict.verdict !== 'not-contained') return []
      const { witness } = verdict
      const params = bases.map((base) => withValue(base, way, witness)).find((one) => one !== undefined)
      if (params === undefined || !isObject(params) || !accepts(clone(params))) return []
      return [
        { kind: 'valid', params, way, what: `with ${pathText(way)} ${JSON.stringify(witness).slice(0, 60)}` },
      ]
    })
  }
}
