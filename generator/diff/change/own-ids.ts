import type { KnownIds } from './known-ids.js'

/** Ids of changes for which oasdiff has none. Those of schemas are a subject and what happened to it. */
const requestSubjects = [
  'request-body',
  'request-property',
  'request-parameter',
  'request-parameter-property',
]
const responseSubjects = ['response-body', 'response-property', 'response-header', 'response-header-property']

/** What lets fewer values in: breaking in a request, compatible in an answer. */
const tightened = `
  became-enum enum-value-removed const-added not-added not-changed became-not-nullable type-specialized
  list-of-types-narrowed format-added multiple-of-set additional-properties-removed unique-items-set
  max-set max-decreased exclusive-max-set exclusive-max-decreased max-length-set max-length-decreased
  min-set min-increased exclusive-min-set exclusive-min-increased min-length-set min-length-increased
  max-items-set max-items-decreased min-items-set min-items-increased max-properties-set max-properties-decreased
  min-properties-set min-properties-increased max-contains-set max-contains-decreased min-contains-set
  min-contains-increased pattern-added all-of-added any-of-removed one-of-removed if-added then-added else-added
  contains-added dependent-required-added dependent-schema-added pattern-property-added property-names-added
  unevaluated-items-added unevaluated-properties-added items-added became-required
  x-extensible-enum-value-removed
`

/** What lets more values in: compatible in a request, breaking in an answer. */
const loosened = `
  enum-removed enum-value-added const-removed not-removed became-nullable type-generalized list-of-types-widened
  format-removed multiple-of-unset additional-properties-added unique-items-unset
  max-unset max-increased exclusive-max-unset exclusive-max-increased max-length-unset max-length-increased
  min-unset min-decreased exclusive-min-unset exclusive-min-decreased min-length-unset min-length-decreased
  max-items-unset max-items-increased min-items-unset min-items-decreased max-properties-unset
  max-properties-increased min-properties-unset min-properties-decreased max-contains-unset max-contains-increased
  min-contains-unset min-contains-decreased pattern-removed all-of-removed any-of-added one-of-added if-removed
  then-removed else-removed contains-removed dependent-required-removed dependent-schema-removed
  pattern-property-removed property-names-removed unevaluated-items-removed unevaluated-properties-removed
  items-removed became-optional wrapped-in-one-of
`

/** What schemas alone cannot tell in which direction it goes. */
const altered = `
  type-changed const-changed pattern-changed multiple-of-changed format-changed additional-properties-changed
  dependent-required-changed not-altered prefix-items-added prefix-items-removed content-schema-added
  content-schema-removed content-schema-changed content-media-type-changed content-encoding-changed
  deprecated-sunset-missing deprecated-sunset-invalid sunset-date-too-small sunset-deleted sunset-moved-earlier
  stability-decreased
`

/** What no validator sees, and callers or services may rely upon. */
const relied = `
  default-value-added default-value-removed default-value-changed discriminator-added discriminator-removed
  discriminator-property-name-changed discriminator-mapping-added discriminator-mapping-deleted
  discriminator-mapping-changed discriminator-default-mapping-added discriminator-default-mapping-removed
  discriminator-default-mapping-changed deprecated deprecated-with-sunset sunset-announced sunset-moved-later reactivated stability-increased became-read-only became-not-read-only became-write-only
  became-not-write-only x-extensible-enum-value-added type-compatible pattern-generalized
`

/** Nothing but documentation. */
const described = 'all-of-added-annotation-only all-of-removed-annotation-only'

/** Ids of each subject with each of some words. */
function each(subjects: readonly string[], words: string): string {
  const all = words.split(/\s+/).filter((word) => word !== '')
  return subjects.flatMap((subject) => all.map((word) => `${subject}-${word}`)).join(' ')
}

export const ownIds: { readonly [side in 'request' | 'response' | 'document']: KnownIds } = {
  request: {
    breaking: `${each(requestSubjects, `${tightened} ${altered} x-timezone-removed`)} request-parameter-style-changed
      request-parameter-location-changed request-parameter-renamed rpc-param-name-changed rpc-body-kept-whole
      rpc-body-taken-apart request-parameter-empty-value-refused request-parameter-sunset-moved-earlier
      request-body-encoding-changed request-params-narrowed request-body-member-clash`,
    dangerous: `request-parameter-property-removed request-query-names-refused request-params-clash
      request-parameter-reading-changed`,
    compatible: `${each(requestSubjects, `${loosened} ${relied} x-timezone-added`)} new-optional-request-parameter-property
      request-parameter-sunset-announced request-parameter-sunset-moved-later request-parameter-unstable-removed request-parameter-empty-value-allowed`,
    info: each(requestSubjects, described),
  },
  response: {
    breaking: `${each(responseSubjects, `${loosened} ${altered}`)} response-header-style-changed response-header-property-removed
      response-result-widened`,
    // The instant stays, the offset that it is written with does not.
    dangerous: `${each(responseSubjects, 'x-timezone-added x-timezone-removed')} response-header-value-changed
      response-body-encoding-changed`,
    compatible: `${each(responseSubjects, `${tightened} ${relied}`)}`,
    info: `response-link-added response-link-changed response-link-removed ${each(responseSubjects, described)}`,
  },
  document: {
    breaking: `endpoint-path-changed endpoint-method-changed rpc-method-renamed rpc-method-removed rpc-path-changed
      api-sunset-moved-earlier error-rpc-code-changed error-status-changed server-path-changed callback-removed
      callback-expression-changed message-body-removed message-body-became-optional message-parameter-removed
      message-parameter-became-optional message-parameter-style-changed message-encoding-changed message-security-added message-security-scope-removed message-status-removed`,
    dangerous: `server-removed endpoint-servers-changed error-rpc-status-changed message-media-type-added
      endpoint-shadowed`,
    compatible: `rpc-method-added error-code-added error-code-removed api-unstable-removed api-sunset-announced
      api-sunset-moved-later
      server-added callback-added message-body-became-required message-media-type-removed
      message-parameter-added message-parameter-became-required message-security-removed message-security-scope-added
      message-status-added`,
    info: `api-description-changed api-schema-added error-title-changed rpc-method-moved api-security-component-credential-changed
      api-security-component-openid-connect-url-changed api-security-component-oauth-metadata-url-changed
      api-security-component-bearer-format-changed api-security-component-oauth-flow-added
      api-security-component-oauth-flow-removed api-security-component-oauth-refresh-url-changed
      api-security-component-oauth-device-url-changed`,
  },
}
