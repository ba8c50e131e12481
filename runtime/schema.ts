/** What generated `schemas.ts` imports: Standard Schemas, with nothing of the server. */
export { readJsonFile } from './core/json-file.js'
export {
  type StandardIssue,
  type StandardProperties,
  type StandardResult,
  type StandardSchema,
  type StandardSchemas,
  standardSchemas,
} from './core/standard-schema.js'
