import type { Level } from '../level.js'
import { added, type ChangeColumns, type ChangeTrait, columnsOf, removed, type Section } from './columns.js'

/** What can happen to a schema: the end of the change id. */
export type SchemaAction = keyof typeof schemaActions

export interface SchemaActionRow extends ChangeColumns {
  /** The level if no schema decides. */
  readonly level: { readonly [direction in 'request' | 'response']: Level }
}

type Levels = SchemaActionRow['level']

/** Fewer values are accepted. */
const fewer: Levels = { request: 'breaking', response: 'compatible' }
/** More values are accepted. */
const more: Levels = { request: 'compatible', response: 'breaking' }
/** The schemas alone do not show whether more or fewer values are accepted. */
const unclear: Levels = { request: 'breaking', response: 'breaking' }
/** No validator checks it, but callers or services may rely on it. */
const unseen: Levels = { request: 'compatible', response: 'compatible' }
const documentation: Levels = { request: 'info', response: 'info' }

const limits = ['maximum', 'exclusiveMaximum']
const floors = ['minimum', 'exclusiveMinimum']
const values = ['enum', 'const']
const types = ['type', 'format']

/** What can happen to a schema, by the end of the id. Each row gives every subject a change with that end. */
export const schemaActions = {
  ...bound('max', 'maximum', 'upper', limits),
  ...bound('min', 'minimum', 'lower', floors),
  ...bound('exclusive-max', 'exclusiveMaximum', 'upper', limits),
  ...bound('exclusive-min', 'exclusiveMinimum', 'lower', floors),
  ...bound('max-length', 'maxLength', 'upper'),
  ...bound('min-length', 'minLength', 'lower'),
  ...bound('max-items', 'maxItems', 'upper'),
  ...bound('min-items', 'minItems', 'lower'),
  ...bound('max-properties', 'maxProperties', 'upper', []),
  ...bound('min-properties', 'minProperties', 'lower', []),
  ...bound('max-contains', 'maxContains', 'upper', [], ['most contained']),
  ...bound('min-contains', 'minContains', 'lower', [], ['fewest contained']),

  ...pair('format'),
  'format-changed': row(unclear, '`format` changed'),
  ...pair('pattern', 'pattern', ['pattern']),
  'pattern-changed': row(unclear, '`pattern` changed', { refusedBy: ['pattern'] }),
  'pattern-generalized': row(unseen, '`pattern` changed to one that accepts more', {
    refusedBy: ['pattern'],
  }),
  ...pair('const', 'const', values),
  'const-changed': row(unclear, '`const` changed', { refusedBy: values }),
  'became-enum': row(fewer, 'an `enum` now limits its values', { refusedBy: values }),
  'enum-removed': row(more, '`enum` was removed', { refusedBy: values, ...removed }),
  'enum-value-added': row(more, 'a value was added to its `enum`', { refusedBy: values, ...added }),
  'enum-value-removed': row(fewer, 'a value was removed from its `enum`', { refusedBy: values, ...removed }),
  'x-extensible-enum-added': row(unseen, '`x-extensible-enum` was added', { refusedBy: values, ...added }),
  // The service may know none of the values any more.
  'x-extensible-enum-removed': row(fewer, '`x-extensible-enum` was removed', {
    refusedBy: values,
    ...removed,
  }),
  'x-extensible-enum-value-added': row(unseen, 'a value was added to its `x-extensible-enum`', {
    refusedBy: values,
    ...added,
  }),
  'x-extensible-enum-value-removed': row(fewer, 'a value was removed from its `x-extensible-enum`', {
    refusedBy: values,
    ...removed,
  }),
  'multiple-of-set': row(fewer, '`multipleOf` was added', { refusedBy: ['multipleOf'] }),
  'multiple-of-unset': row(more, '`multipleOf` was removed', { refusedBy: ['multipleOf'] }),
  'multiple-of-changed': row(unclear, '`multipleOf` changed', { refusedBy: ['multipleOf'] }),
  'unique-items-set': row(fewer, '`uniqueItems` was added', { refusedBy: ['uniqueItems'] }),
  'unique-items-unset': row(more, '`uniqueItems` was removed', { refusedBy: ['uniqueItems'] }),

  'type-changed': row(unclear, 'its type changed', { refusedBy: types, traits: ['other names', 'text'] }),
  'type-specialized': row(fewer, 'its type became narrower', {
    refusedBy: types,
    traits: ['text'],
  }),
  'type-generalized': row(more, 'its type became wider', {
    refusedBy: types,
    traits: ['text'],
  }),
  'type-compatible': row(unseen, 'its type changed, and its values are still written the same way', {
    refusedBy: types,
    traits: ['text'],
  }),
  'list-of-types-narrowed': row(fewer, 'a type was removed from its list of types', { refusedBy: types }),
  'list-of-types-widened': row(more, 'a type was added to its list of types', { refusedBy: types }),
  'became-nullable': row(more, 'it may now be null', { refusedBy: types, traits: ['null'] }),
  'became-not-nullable': row(fewer, 'it may no longer be null', { refusedBy: types, traits: ['null'] }),

  'became-required': row(fewer, 'it is now required', { refusedBy: ['required'] }),
  'became-optional': row(more, 'it is no longer required', { refusedBy: ['required'] }),
  'additional-properties-added': row(more, 'names that the schema does not list are now accepted', added),
  'additional-properties-removed': row(fewer, 'names that the schema does not list are no longer accepted', {
    ...removed,
    refusedBy: ['additionalProperties'],
    traits: ['other names'],
  }),
  'additional-properties-changed': row(unclear, 'the schema of additional properties changed'),
  'pattern-property-added': row(fewer, 'a pattern was added to `patternProperties`', added),
  'pattern-property-removed': row(more, 'a pattern was removed from `patternProperties`', removed),
  ...pair('property-names', 'propertyNames'),
  'dependent-required-added': row(fewer, 'a name was added to `dependentRequired`', {
    ...added,
    traits: ['names'],
  }),
  'dependent-required-removed': row(more, 'a name was removed from `dependentRequired`', {
    ...removed,
    traits: ['names'],
  }),
  'dependent-required-changed': row(unclear, 'the names below `dependentRequired` changed', {
    traits: ['names'],
  }),
  'dependent-schema-added': row(fewer, 'a name was added to `dependentSchemas`', added),
  'dependent-schema-removed': row(more, 'a name was removed from `dependentSchemas`', removed),
  ...pair('unevaluated-properties', 'unevaluatedProperties'),

  ...pair('items'),
  'prefix-items-added': row(unclear, '`prefixItems` was added', added),
  'prefix-items-removed': row(unclear, '`prefixItems` was removed', removed),
  ...pair('contains'),
  ...pair('unevaluated-items', 'unevaluatedItems'),

  'all-of-added': row(fewer, 'a branch was added to `allOf`', added),
  'all-of-removed': row(more, 'a branch was removed from `allOf`', removed),
  'all-of-added-annotation-only': row(
    documentation,
    'a branch of `allOf` was added that only has documentation',
    added,
  ),
  'all-of-removed-annotation-only': row(
    documentation,
    'a branch of `allOf` was removed that only has documentation',
    removed,
  ),
  'any-of-added': row(more, 'a branch was added to `anyOf`', added),
  'any-of-removed': row(fewer, 'a branch was removed from `anyOf`', removed),
  'one-of-added': row(more, 'a branch was added to `oneOf`', added),
  'one-of-removed': row(fewer, 'a branch was removed from `oneOf`', removed),
  'wrapped-in-one-of': row(more, 'its schema became one of several branches of a `oneOf`'),
  ...pair('not'),
  'not-changed': row(fewer, '`not` changed'),
  'not-altered': row(unclear, 'the schema below `not` changed'),
  ...pair('if'),
  ...pair('then'),
  ...pair('else'),

  'content-schema-added': row(unclear, '`contentSchema` was added', added),
  'content-schema-removed': row(unclear, '`contentSchema` was removed', removed),
  'content-schema-changed': row(unclear, '`contentSchema` changed'),
  'content-media-type-changed': row(unclear, '`contentMediaType` changed'),
  'content-encoding-changed': row(unclear, '`contentEncoding` changed'),
  // The instant stays, but the offset it is written with does not.
  'x-timezone-added': row({ request: 'compatible', response: 'dangerous' }, '`x-timezone` was added', added),
  'x-timezone-removed': row({ request: 'breaking', response: 'dangerous' }, '`x-timezone` was removed', {
    ...removed,
    traits: ['loss'],
  }),

  'default-value-added': row(unseen, 'a default was added', { ...added, traits: ['filled in'] }),
  'default-value-removed': row(unseen, 'its default was removed', {
    refusedBy: ['required'],
    ...removed,
    traits: ['loss', 'filled in'],
  }),
  'default-value-changed': row(unseen, 'its default changed', { traits: ['filled in'] }),
  'discriminator-added': row(unseen, '`discriminator` was added', added),
  'discriminator-removed': row(unseen, '`discriminator` was removed', { ...removed, traits: ['loss'] }),
  'discriminator-property-name-changed': row(unseen, 'the property that its `discriminator` reads changed'),
  'discriminator-mapping-added': row(
    unseen,
    'a value was added to the `mapping` of its `discriminator`',
    added,
  ),
  'discriminator-mapping-deleted': row(
    unseen,
    'a value was removed from the `mapping` of its `discriminator`',
    removed,
  ),
  'discriminator-mapping-changed': row(
    unseen,
    'a value in the `mapping` of its `discriminator` names another schema',
  ),
  'discriminator-default-mapping-added': row(unseen, 'its `discriminator` got a `defaultMapping`', added),
  'discriminator-default-mapping-removed': row(unseen, 'its `discriminator` lost its `defaultMapping`', {
    ...removed,
    traits: ['loss'],
  }),
  'discriminator-default-mapping-changed': row(unseen, 'the `defaultMapping` of its `discriminator` changed'),
  'became-read-only': row(unseen, 'it became read-only'),
  'became-not-read-only': row(unseen, 'it is no longer read-only'),
  'became-write-only': row(unseen, 'it became write-only'),
  'became-not-write-only': row(unseen, 'it is no longer write-only'),

  deprecated: notice(unseen, 'it was deprecated'),
  'deprecated-with-sunset': notice(unseen, 'it was deprecated, and its sunset announced'),
  'deprecated-sunset-missing': row(
    unclear,
    'it was deprecated without the sunset that its stability requires',
    { section: 'deprecated' },
  ),
  'deprecated-sunset-invalid': notice(unclear, 'it is deprecated with a sunset that is not a date'),
  reactivated: notice(unseen, 'it is no longer deprecated', 'changed'),
  'sunset-announced': notice(unseen, 'a sunset was added'),
  'sunset-deleted': notice(unclear, 'its sunset was removed, and it is still deprecated'),
  'sunset-moved-earlier': notice(unclear, 'its sunset moved to an earlier date'),
  'sunset-moved-later': notice(unseen, 'its sunset moved to a later date'),
  'sunset-date-too-small': notice(unclear, 'its sunset is too soon after the deprecation'),
  'stability-decreased': notice(unclear, '`x-stability-level` became lower', 'changed'),
  'stability-increased': notice(unseen, '`x-stability-level` became higher', 'changed'),
} as const

/** Whether an action has a trait, whatever schema it happens to. */
export function actionHasTrait(action: SchemaAction, trait: ChangeTrait): boolean {
  return schemaActions[action].traits.includes(trait)
}

function row(level: Levels, words: string, columns: Partial<ChangeColumns> = {}): SchemaActionRow {
  return { level, ...columnsOf(words, columns) }
}

/** An announcement, which does not affect what a handler receives or returns. */
function notice(level: Levels, words: string, section: Section = 'deprecated'): SchemaActionRow {
  return row(level, words, { section, handlers: 'never' })
}

/** The name of a bound in ids. */
export type BoundName = SchemaAction extends infer Action
  ? Action extends `${infer Name}-increased`
    ? Exclude<Name, 'stability'>
    : never
  : never

type Rows<Name extends string, Event extends string> = Readonly<Record<`${Name}-${Event}`, SchemaActionRow>>

/** An upper or a lower bound. */
function bound<Name extends string>(
  name: Name,
  keyword: string,
  side: 'upper' | 'lower',
  refusedBy: readonly string[] = [keyword],
  traits: readonly ChangeTrait[] = [],
): Rows<Name, 'set' | 'unset' | 'increased' | 'decreased'> {
  const [up, down] = side === 'upper' ? [more, fewer] : [fewer, more]
  const columns = { refusedBy, handlers: 'loosened', traits } as const
  const rows = {
    [`${name}-set`]: row(fewer, `\`${keyword}\` was added`, columns),
    [`${name}-unset`]: row(more, `\`${keyword}\` was removed`, columns),
    [`${name}-increased`]: row(up, `\`${keyword}\` became larger`, columns),
    [`${name}-decreased`]: row(down, `\`${keyword}\` became smaller`, columns),
  }
  return rows as ReturnType<typeof bound<Name>>
}

/** A keyword that limits values and was added or removed. */
function pair<Name extends string>(
  name: Name,
  keyword: string = name,
  refusedBy: readonly string[] = [],
): Rows<Name, 'added' | 'removed'> {
  const rows = {
    [`${name}-added`]: row(fewer, `\`${keyword}\` was added`, { refusedBy, ...added }),
    [`${name}-removed`]: row(more, `\`${keyword}\` was removed`, { refusedBy, ...removed }),
  }
  return rows as ReturnType<typeof pair<Name>>
}
