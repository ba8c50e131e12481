import type { KnownIds } from './known-ids.js'

/**
 * Change ids of oasdiff 1.28.0 for endpoints and for the document as a whole, by oasdiff's level if no schema decides.
 */
export const documentIds: KnownIds = {
  breaking: `
    api-deprecated-sunset-missing api-deprecated-sunset-parse api-invalid-stability-level
    api-path-removed-before-sunset api-path-removed-without-deprecation api-path-sunset-parse
    api-removed-before-sunset api-removed-without-deprecation api-stability-decreased
    api-sunset-date-changed-too-small api-sunset-date-too-small sunset-deleted webhook-removed
  `,
  dangerous: '',
  compatible: `
    api-global-security-added api-global-security-removed api-global-security-scope-added
    api-global-security-scope-removed api-major-version-not-bumped api-operation-id-added
    api-operation-id-removed api-path-removed-with-deprecation api-removed-with-deprecation
    api-schema-removed api-security-added api-security-component-added
    api-security-component-oauth-scope-added api-security-component-oauth-scope-changed
    api-security-component-oauth-scope-removed api-security-component-oauth-token-url-changed
    api-security-component-oauth-url-changed api-security-component-removed
    api-security-component-type-changed api-security-removed api-security-scope-added
    api-security-scope-removed api-stability-increased api-tag-added api-tag-removed
    api-version-decreased api-version-not-bumped endpoint-added endpoint-deprecated
    endpoint-deprecated-with-sunset endpoint-reactivated webhook-added
  `,
}
