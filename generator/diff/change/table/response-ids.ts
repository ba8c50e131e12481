import type { KnownIds } from './known-ids.js'

/** Change ids of oasdiff 1.28.0 for responses, by oasdiff's level if no schema decides. */
export const responseIds: KnownIds = {
  breaking: `
    required-response-header-removed response-body-became-nullable response-body-const-changed
    response-body-const-removed response-body-contains-removed response-body-content-encoding-changed
    response-body-content-media-type-changed response-body-content-schema-removed
    response-body-dependent-required-changed response-body-dependent-required-removed
    response-body-dependent-schema-removed response-body-else-removed
    response-body-exclusive-max-increased response-body-exclusive-min-decreased response-body-if-removed
    response-body-list-of-types-widened response-body-max-contains-increased response-body-max-increased
    response-body-max-length-increased response-body-max-length-unset
    response-body-min-contains-decreased response-body-min-decreased response-body-min-items-decreased
    response-body-min-items-unset response-body-min-length-decreased response-body-one-of-added
    response-body-pattern-property-removed response-body-prefix-items-added
    response-body-property-names-removed response-body-then-removed response-body-type-changed
    response-body-type-generalized response-body-unevaluated-items-removed
    response-body-unevaluated-properties-removed response-body-wrapped-in-one-of
    response-header-became-nullable response-header-became-optional response-header-type-changed
    response-header-type-generalized response-media-type-name-generalized response-media-type-removed
    response-property-became-nullable response-property-became-optional response-property-const-changed
    response-property-const-removed response-property-contains-removed
    response-property-content-encoding-changed response-property-content-media-type-changed
    response-property-content-schema-removed response-property-dependent-required-changed
    response-property-dependent-required-removed response-property-dependent-schema-removed
    response-property-deprecated-sunset-invalid response-property-deprecated-sunset-missing
    response-property-else-removed response-property-exclusive-max-increased
    response-property-exclusive-min-decreased response-property-if-removed
    response-property-list-of-types-widened response-property-max-contains-increased
    response-property-max-increased response-property-max-length-increased
    response-property-max-length-unset response-property-min-contains-decreased
    response-property-min-decreased response-property-min-items-decreased
    response-property-min-items-unset response-property-min-length-decreased
    response-property-one-of-added response-property-pattern-property-removed
    response-property-prefix-items-added response-property-property-names-removed
    response-property-stability-decreased response-property-sunset-date-too-small
    response-property-then-removed response-property-type-changed response-property-type-generalized
    response-property-unevaluated-items-removed response-property-unevaluated-properties-removed
    response-required-property-removed response-success-status-removed
  `,
  dangerous: `
    optional-response-header-removed response-body-media-type-schema-removed
    response-optional-property-removed response-property-enum-value-added
    response-required-property-became-not-write-only
  `,
  compatible: `
    response-body-all-of-added response-body-all-of-added-annotation-only response-body-all-of-removed
    response-body-all-of-removed-annotation-only response-body-any-of-added response-body-any-of-removed
    response-body-became-not-nullable response-body-const-added response-body-contains-added
    response-body-content-schema-added response-body-default-value-added
    response-body-default-value-changed response-body-default-value-removed
    response-body-dependent-required-added response-body-dependent-schema-added
    response-body-discriminator-added response-body-discriminator-mapping-added
    response-body-discriminator-mapping-changed response-body-discriminator-mapping-deleted
    response-body-discriminator-property-name-changed response-body-discriminator-removed
    response-body-else-added response-body-if-added response-body-list-of-types-narrowed
    response-body-max-contains-decreased response-body-media-type-schema-added
    response-body-min-contains-increased response-body-one-of-removed
    response-body-pattern-property-added response-body-prefix-items-removed
    response-body-property-names-added response-body-then-added response-body-type-compatible
    response-body-type-specialized response-body-unevaluated-items-added
    response-body-unevaluated-properties-added response-header-added response-header-became-not-nullable
    response-header-type-compatible response-header-type-specialized response-media-type-added
    response-media-type-name-changed response-media-type-name-specialized
    response-mediatype-enum-value-removed response-non-success-status-added
    response-non-success-status-removed response-optional-property-added
    response-optional-property-became-not-read-only response-optional-property-became-not-write-only
    response-optional-property-became-read-only response-optional-property-became-write-only
    response-optional-write-only-property-added response-optional-write-only-property-removed
    response-property-all-of-added response-property-all-of-added-annotation-only
    response-property-all-of-removed response-property-all-of-removed-annotation-only
    response-property-any-of-added response-property-any-of-removed
    response-property-became-not-nullable response-property-became-required
    response-property-const-added response-property-contains-added
    response-property-content-schema-added response-property-default-value-added
    response-property-default-value-changed response-property-default-value-removed
    response-property-dependent-required-added response-property-dependent-schema-added
    response-property-deprecated response-property-deprecated-with-sunset
    response-property-discriminator-added response-property-discriminator-mapping-added
    response-property-discriminator-mapping-changed response-property-discriminator-mapping-deleted
    response-property-discriminator-property-name-changed response-property-discriminator-removed
    response-property-else-added response-property-enum-value-removed response-property-if-added
    response-property-list-of-types-narrowed response-property-max-contains-decreased
    response-property-min-contains-increased response-property-one-of-removed
    response-property-pattern-added response-property-pattern-changed
    response-property-pattern-property-added response-property-pattern-removed
    response-property-prefix-items-removed response-property-property-names-added
    response-property-reactivated response-property-stability-increased response-property-then-added
    response-property-type-compatible response-property-type-specialized
    response-property-unevaluated-items-added response-property-unevaluated-properties-added
    response-required-property-added response-required-property-became-not-read-only
    response-required-property-became-read-only response-required-property-became-write-only
    response-required-write-only-property-added response-required-write-only-property-removed
    response-success-status-added response-write-only-property-became-optional
    response-write-only-property-became-required response-write-only-property-enum-value-added
  `,
}
