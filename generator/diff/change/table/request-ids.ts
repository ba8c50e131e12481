import type { KnownIds } from './known-ids.js'

/** Change ids of oasdiff 1.28.0 for requests, by oasdiff's level if no schema decides. */
export const requestIds: KnownIds = {
  breaking: `
    new-request-path-parameter new-required-request-default-parameter-to-existing-path
    new-required-request-header-property new-required-request-parameter new-required-request-property
    new-required-request-property-with-default request-body-added-required request-body-all-of-added
    request-body-any-of-removed request-body-became-enum request-body-became-not-nullable
    request-body-became-required request-body-const-added request-body-const-changed
    request-body-contains-added request-body-content-encoding-changed
    request-body-content-media-type-changed request-body-content-schema-added
    request-body-dependent-required-added request-body-dependent-required-changed
    request-body-dependent-schema-added request-body-else-added request-body-enum-value-removed
    request-body-exclusive-max-decreased request-body-exclusive-min-increased request-body-if-added
    request-body-list-of-types-narrowed request-body-max-contains-decreased request-body-max-decreased
    request-body-max-length-decreased request-body-media-type-removed
    request-body-media-type-schema-added request-body-min-contains-increased request-body-min-increased
    request-body-min-items-increased request-body-min-length-increased request-body-one-of-removed
    request-body-pattern-property-added request-body-prefix-items-removed
    request-body-property-names-added request-body-removed request-body-then-added
    request-body-type-changed request-body-unevaluated-items-added
    request-body-unevaluated-properties-added request-body-wrapped-in-one-of
    request-header-property-became-enum request-header-property-became-required
    request-parameter-became-enum request-parameter-became-not-nullable
    request-parameter-became-required request-parameter-default-value-added
    request-parameter-default-value-changed request-parameter-default-value-removed
    request-parameter-deprecated-sunset-missing request-parameter-enum-value-removed
    request-parameter-exclusive-max-decreased request-parameter-exclusive-min-increased
    request-parameter-list-of-types-narrowed request-parameter-max-decreased
    request-parameter-max-items-decreased request-parameter-max-length-decreased
    request-parameter-min-increased request-parameter-min-items-increased
    request-parameter-min-length-increased request-parameter-pattern-added
    request-parameter-property-became-not-nullable request-parameter-property-enum-value-removed
    request-parameter-property-list-of-types-narrowed request-parameter-property-type-specialized
    request-parameter-removed-before-sunset request-parameter-sunset-date-changed-too-small
    request-parameter-sunset-date-too-small request-parameter-sunset-deleted
    request-parameter-sunset-parse request-parameter-type-changed
    request-parameter-x-extensible-enum-value-removed request-property-all-of-added
    request-property-any-of-removed request-property-became-enum request-property-became-not-nullable
    request-property-became-required request-property-became-required-with-default
    request-property-const-added request-property-const-changed request-property-contains-added
    request-property-content-encoding-changed request-property-content-media-type-changed
    request-property-content-schema-added request-property-dependent-required-added
    request-property-dependent-required-changed request-property-dependent-schema-added
    request-property-deprecated-sunset-invalid request-property-deprecated-sunset-missing
    request-property-else-added request-property-enum-value-removed
    request-property-exclusive-max-decreased request-property-exclusive-min-increased
    request-property-if-added request-property-list-of-types-narrowed
    request-property-max-contains-decreased request-property-max-decreased
    request-property-max-length-decreased request-property-min-contains-increased
    request-property-min-increased request-property-min-items-increased
    request-property-min-length-increased request-property-one-of-removed request-property-pattern-added
    request-property-pattern-property-added request-property-prefix-items-removed
    request-property-property-names-added request-property-stability-decreased
    request-property-sunset-date-too-small request-property-then-added request-property-type-changed
    request-property-unevaluated-items-added request-property-unevaluated-properties-added
    request-property-x-extensible-enum-value-removed
  `,
  dangerous: `
    request-body-all-of-removed request-body-exclusive-max-set request-body-exclusive-min-set
    request-body-max-length-set request-body-max-set request-body-min-items-set request-body-min-set
    request-parameter-exclusive-max-set request-parameter-exclusive-min-set
    request-parameter-max-length-set request-parameter-max-set request-parameter-min-items-set
    request-parameter-min-set request-parameter-pattern-changed request-parameter-property-type-changed
    request-parameter-removed request-property-all-of-removed request-property-exclusive-max-set
    request-property-exclusive-min-set request-property-max-length-set request-property-max-set
    request-property-min-items-set request-property-min-set request-property-pattern-changed
    request-property-removed
  `,
  compatible: `
    new-optional-request-default-parameter-to-existing-path new-optional-request-parameter
    new-optional-request-property request-body-added-optional request-body-all-of-added-annotation-only
    request-body-all-of-removed-annotation-only request-body-any-of-added request-body-became-nullable
    request-body-became-optional request-body-const-removed request-body-contains-removed
    request-body-content-schema-removed request-body-default-value-added
    request-body-default-value-changed request-body-default-value-removed
    request-body-dependent-required-removed request-body-dependent-schema-removed
    request-body-discriminator-added request-body-discriminator-mapping-added
    request-body-discriminator-mapping-changed request-body-discriminator-mapping-deleted
    request-body-discriminator-property-name-changed request-body-discriminator-removed
    request-body-else-removed request-body-exclusive-max-increased request-body-exclusive-min-decreased
    request-body-if-removed request-body-list-of-types-widened request-body-max-contains-increased
    request-body-max-increased request-body-max-length-increased request-body-media-type-added
    request-body-media-type-schema-removed request-body-min-contains-decreased
    request-body-min-decreased request-body-min-length-decreased request-body-one-of-added
    request-body-pattern-property-removed request-body-prefix-items-added
    request-body-property-names-removed request-body-then-removed request-body-type-compatible
    request-body-type-generalized request-body-unevaluated-items-removed
    request-body-unevaluated-properties-removed request-optional-property-became-not-read-only
    request-optional-property-became-not-write-only request-optional-property-became-read-only
    request-optional-property-became-write-only request-parameter-became-nullable
    request-parameter-became-optional request-parameter-deprecated request-parameter-enum-value-added
    request-parameter-exclusive-max-increased request-parameter-exclusive-min-decreased
    request-parameter-list-of-types-widened request-parameter-max-increased
    request-parameter-max-items-increased request-parameter-max-length-increased
    request-parameter-min-decreased request-parameter-min-items-decreased
    request-parameter-min-length-decreased request-parameter-pattern-generalized
    request-parameter-pattern-removed request-parameter-property-became-nullable
    request-parameter-property-enum-value-added request-parameter-property-list-of-types-widened
    request-parameter-property-type-generalized request-parameter-reactivated
    request-parameter-removed-with-deprecation request-parameter-type-generalized
    request-property-all-of-added-annotation-only request-property-all-of-removed-annotation-only
    request-property-any-of-added request-property-became-nullable request-property-became-optional
    request-property-const-removed request-property-contains-removed
    request-property-content-schema-removed request-property-default-value-added
    request-property-default-value-changed request-property-default-value-removed
    request-property-dependent-required-removed request-property-dependent-schema-removed
    request-property-deprecated request-property-deprecated-with-sunset
    request-property-discriminator-added request-property-discriminator-mapping-added
    request-property-discriminator-mapping-changed request-property-discriminator-mapping-deleted
    request-property-discriminator-property-name-changed request-property-discriminator-removed
    request-property-else-removed request-property-enum-value-added
    request-property-exclusive-max-increased request-property-exclusive-min-decreased
    request-property-if-removed request-property-list-of-types-widened
    request-property-max-contains-increased request-property-max-increased
    request-property-max-length-increased request-property-min-contains-decreased
    request-property-min-decreased request-property-min-length-decreased request-property-one-of-added
    request-property-pattern-generalized request-property-pattern-property-removed
    request-property-pattern-removed request-property-prefix-items-added
    request-property-property-names-removed request-property-reactivated
    request-property-stability-increased request-property-then-removed request-property-type-compatible
    request-property-type-generalized request-property-unevaluated-items-removed
    request-property-unevaluated-properties-removed request-read-only-property-enum-value-removed
    request-read-only-property-exclusive-max-decreased
    request-read-only-property-exclusive-min-increased request-read-only-property-max-decreased
    request-read-only-property-max-length-decreased request-read-only-property-min-increased
    request-required-property-became-not-read-only request-required-property-became-not-write-only
    request-required-property-became-read-only request-required-property-became-write-only
  `,
}
