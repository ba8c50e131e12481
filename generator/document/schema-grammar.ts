import type { Field } from './field.js'
import { isCurrent, type Keyword, keywords } from './vocabulary.js'

/** Keywords of a Schema Object: the JSON Schema 2020-12 meta-schemas and OpenAPI 3.1's base vocabulary. */
export const schemaFields: Readonly<Record<string, Field>> = Object.fromEntries(
  keywords.filter(isCurrent).map((keyword) => [keyword.name, fieldOf(keyword)]),
)

function fieldOf({ holds }: Keyword): Field {
  switch (holds) {
    case 'schema':
      return { one: 'schema' }
    case 'schemas':
      return { list: 'schema', filled: true }
    case 'schema-map':
      return { map: 'schema' }
    case 'value':
      return { data: 'any' }
    case 'values':
      return { data: 'list' }
    case 'discriminator':
    case 'xml':
    case 'externalDocs':
      return { one: holds }
    default:
      return { data: holds }
  }
}
