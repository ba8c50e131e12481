import { objectOf } from '../../document/cursor.js'
import type { Json } from '../../document/document.js'
import { own } from '../../document/json.js'
import { asObject } from '../change/side.js'
import { harmless, isBad, type Judged } from '../decide/judgement.js'
import { type Inheritance, inheritanceOf } from '../same/family.js'
import type { Difference, SchemaWalk } from './schema-walk.js'

/** The meanings of a discriminator's values in both versions of a base. Undefined if it is no base in one. */
export function inheritedMeanings(walk: SchemaWalk): InheritedMeanings | undefined {
  const { old, new_, node } = walk
  const [was, is] = [inheritanceOf(old, node.a.value), inheritanceOf(new_, node.b.value)]
  return was === undefined && is === undefined ? undefined : new InheritedMeanings(walk, was, is)
}

/**
 * Compares the children that a discriminator's values name. Validators check the base alone (OpenAPI 3.1.1,
 * Discriminator Object), so they accept a value whatever child it names. But services and callers read the value as
 * that child: it changes its meaning if it names another child or none.
 */
export class InheritedMeanings {
  constructor(
    readonly walk: SchemaWalk,
    readonly was: Inheritance | undefined,
    readonly is: Inheritance | undefined,
  ) {}

  /** Judges a discriminator that was added, removed, or reads another property. */
  whole(): Judged {
    return this.was === undefined || this.was.byValue.size === 0 ? harmless : uncertain
  }

  /** Judges one value of the discriminator. */
  value(value: Json): Judged {
    const { walk, was, is } = this
    const { isRequest } = walk
    const [one, other] = [was?.byValue.get(value), is?.byValue.get(value)]
    // Callers of the old version send only what it names, and know only that.
    if (one === undefined || other === undefined)
      return one === other || (one === undefined) === isRequest ? harmless : uncertain
    // The comparison of the children reports what changed in a child.
    if (this.#isOne(value)) return harmless
    const [sender, receiver] = isRequest ? [one, other] : [other, one]
    const property = (isRequest ? was : is)?.property ?? ''
    const named = { required: [property], properties: objectOf([[property, { enum: [value] }]]) }
    return walk.passes({ allOf: [sender.value, named] }, asObject(receiver.value))
  }

  /** Values that name another child although their mapping did not change, if the base still accepts them. */
  unwritten(): (Difference & { readonly value: Json })[] {
    const { was, is } = this
    if (was === undefined || is === undefined || was.property !== is.property) return []
    const values = new Set([...was.byValue.keys(), ...is.byValue.keys()])
    return [...values].flatMap((value) => {
      if (this.#isOne(value) || !this.#isAccepted(value, was.property)) return []
      const [isOld, isNew] = [was.byValue.has(value), is.byValue.has(value)]
      const how = isOld ? (isNew ? 'changed' : 'deleted') : 'added'
      return [
        {
          action: `discriminator-mapping-${how}` as const,
          ...{ keywords: ['discriminator'], unseen: true as const, inherited: 'implied' as const },
          ...{ value, judged: this.value(value) },
          ...(isOld && { old: value }),
          ...(isNew && { new: value }),
        },
      ]
    })
  }

  /** Whether a value names the same child in both versions. */
  #isOne(value: Json): boolean {
    const [one, other] = [this.was?.byValue.get(value), this.is?.byValue.get(value)]
    if (one === undefined || other === undefined) return one === other
    return one.pointer === other.pointer || this.walk.sameness.of(one.value, other.value)
  }

  #isAccepted(value: Json, property: string): boolean {
    const declared = own(asObject(own(asObject(this.walk.receiver), 'properties')), property)
    return declared === undefined || !isBad(this.walk.passes({ enum: [value] }, asObject(declared)))
  }
}

const uncertain: Judged = { level: 'dangerous', evidence: {} }
