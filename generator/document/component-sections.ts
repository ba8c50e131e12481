import type { Kind } from './field.js'

/** The section of `components` that holds things of a kind (OpenAPI 3.2, Components Object). */
export const componentSections: Partial<Record<Kind, string>> = {
  schema: 'schemas',
  response: 'responses',
  parameter: 'parameters',
  example: 'examples',
  requestBody: 'requestBodies',
  header: 'headers',
  securityScheme: 'securitySchemes',
  link: 'links',
  callback: 'callbacks',
  mediaType: 'mediaTypes',
}
