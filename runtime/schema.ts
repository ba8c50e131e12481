/** The imports of the generated `schemas.ts`: Standard Schemas, without any server code. */

export {
  type StandardIssue,
  type StandardProperties,
  type StandardResult,
  type StandardSchema,
  type StandardSchemas,
  standardSchemas,
} from './validation/standard-schema.js'
export { readJsonFile } from './values/json-file.js'
