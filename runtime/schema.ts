/** What generated `schemas.ts` imports: Standard Schemas, with nothing of the server. */

export {
  type StandardIssue,
  type StandardProperties,
  type StandardResult,
  type StandardSchema,
  type StandardSchemas,
  standardSchemas,
} from './validation/standard-schema.js'
export { readJsonFile } from './values/json-file.js'
