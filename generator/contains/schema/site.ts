import { Undecidable } from '../../patterns/budget.js'
import { isObject, type Json } from '../values/value.js'
import type { Resource, SchemaDocument } from './schema-document.js'

/** A schema with its resource and its dynamic scope. */
export interface Site {
  readonly schema: Json
  readonly document: SchemaDocument
  readonly resource: Resource
  readonly scope: Scope
}

/** Targets of dynamic references: for each name the outermost schema that declares it. */
interface Scope {
  readonly key: string
  readonly bound: ReadonlyMap<string, { readonly schema: Json; readonly resource: Resource }>
}

/** The schema at a pointer of a document, with a fresh dynamic scope. */
export function siteAt(document: SchemaDocument, pointer: string): Site {
  const place = document.at(pointer)
  return enter({ ...place, document, scope: { key: '', bound: new Map() } })
}

/** A key for everything besides the text that determines a schema's meaning: its resource and its dynamic scope. */
export function placeKey(site: Site): string {
  return `${site.resource.id} ${site.scope.key}`
}

/** A subschema of a schema. */
export function child(site: Site, schema: Json): Site {
  const { resource } = site.document.placed(schema, site.resource)
  return resource === site.resource ? { ...site, schema } : enter({ ...site, schema, resource })
}

/** The target of $ref. Throws Undecidable if it leads nowhere. */
export function follow(site: Site, reference: string): Site {
  const place = site.document.resolve(reference, site.resource)
  return enter({ ...site, ...place })
}

/** The target of $dynamicRef or $recursiveRef, in the dynamic scope. */
export function followDynamic(site: Site, reference: string): Site {
  const initial = follow(site, reference)
  const name = reference.includes('#') ? reference.slice(reference.indexOf('#') + 1) : ''
  if (!initial.resource.dynamic.has(name)) return initial
  if (name !== '' && initial.resource.dynamic.get(name) !== initial.schema) return initial
  const bound = site.scope.bound.get(name)
  return bound === undefined ? initial : enter({ ...initial, ...bound })
}

/** Follows schemas that consist of nothing but a reference. */
export function withoutDetours(site: Site): Site {
  let at = site
  for (let steps = 0; isObject(at.schema) && onlyReference(at.schema); steps++) {
    if (steps > 50) throw new Undecidable('a reference leads back to itself')
    at = follow(at, String(at.schema.$ref))
  }
  return at
}

function onlyReference(schema: { readonly [key: string]: Json }): boolean {
  return Object.hasOwn(schema, '$ref') && typeof schema.$ref === 'string' && Object.keys(schema).length === 1
}

function enter(site: Site): Site {
  const fresh = [...site.resource.dynamic].filter(([name]) => !site.scope.bound.has(name))
  if (fresh.length === 0) return site
  const bound = new Map(site.scope.bound)
  for (const [name, schema] of fresh) bound.set(name, { schema, resource: site.resource })
  const key = [...bound].map(([name, { resource }]) => `${name} ${resource.id}`).join('\n')
  return { ...site, scope: { key, bound } }
}
