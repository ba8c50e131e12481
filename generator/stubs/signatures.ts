import { contentDigest } from '../cache/store.js'
import { namespaceOf } from '../code/layout.js'
import { picked } from '../document/cursor.js'
import { isObject } from '../document/json.js'
import type { Model, Operation } from '../model/model.js'
import { fingerprint } from '../schema/canonical.js'
import { isAnnotation, isSchema, mapSubschemas, referenceOf, type Schema } from '../schema/schema.js'
import type { Scene } from './scene.js'

/** Digests of what an operation takes and of what it answers. */
export type Signature = readonly [params: string, result: string]

/** Digests of operations' schemas with all that they refer to; what only describes is no part of them. */
export function signatureReader({ schemas }: Model): (operation: Operation) => Signature {
  const components = new Map<string, Digested>()
  const component = (name: string): Digested => {
    const known = components.get(name) ?? digested(schemas.get(name) ?? true)
    components.set(name, known)
    return known
  }
  const digest = (schema: Schema): string => {
    const own = digested(schema)
    const reached = new Set(own.references)
    for (const name of reached) for (const next of component(name).references) reached.add(next)
    const parts = [...reached].sort().map((name) => `${name} ${component(name).digest}`)
    return contentDigest([own.digest, ...parts].join('\n')).slice(0, 16)
  }
  return ({ params, result }) => [digest(params), digest(result)]
}

/** Names the operations that take or answer something else than when their code was looked at last. */
export function reportSignatures({ findings, folder, matching, operations, record, waiting }: Scene): void {
  for (const [name, { file, signature: now }] of operations) {
    const was = matching.kept.get(name) ?? name
    const recorded = record?.operations.get(was)
    if (recorded?.signature === undefined || now === undefined || waiting.has(was)) continue
    const other = ['other params', 'another result'].filter(
      (_, index) => recorded.signature?.[index] !== now[index],
    )
    if (other.length === 0) continue
    const place = file ?? folder.unclear.get(namespaceOf(name))?.file ?? ''
    findings.changed.push({
      operation: name,
      file: place,
      what: `has ${other.join(' and ')} now`,
    })
  }
}

interface Digested {
  readonly digest: string
  /** Components that the schema itself refers to. */
  readonly references: ReadonlySet<string>
}

function digested(schema: Schema): Digested {
  const references = new Set<string>()
  const bare = (part: Schema): Schema => {
    if (!isObject(part)) return part
    const name = referenceOf(part)
    if (name !== undefined) references.add(name)
    const kept = picked(part, (keyword) => !isAnnotation(keyword))
    return mapSubschemas(kept, (inner) => (isSchema(inner) ? bare(inner) : true))
  }
  return { digest: contentDigest(fingerprint(bare(schema))), references }
}
