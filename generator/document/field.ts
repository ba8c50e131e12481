/** The objects of the OpenAPI specification, by role. */
export type Kind =
  | 'document'
  | 'info'
  | 'contact'
  | 'license'
  | 'server'
  | 'serverVariable'
  | 'components'
  | 'paths'
  | 'pathItem'
  | 'operation'
  | 'externalDocs'
  | 'parameter'
  | 'requestBody'
  | 'mediaType'
  | 'encoding'
  | 'responses'
  | 'response'
  | 'callback'
  | 'example'
  | 'link'
  | 'header'
  | 'tag'
  | 'schema'
  | 'discriminator'
  | 'xml'
  | 'securityScheme'
  | 'oauthFlows'
  | 'oauthFlow'
  | 'securityRequirement'

/** What a field holds: other objects of the specification, or plain data that is never searched for references. */
export type Field =
  | { readonly one: Kind }
  | { readonly list: Kind; readonly filled?: true }
  | { readonly map: Kind }
  | { readonly data: DataType; readonly values?: readonly string[] }

export type DataType =
  | 'any'
  | 'text'
  | 'flag'
  | 'number'
  | 'positive'
  | 'count'
  | 'list'
  | 'texts'
  | 'uniqueTexts'
  | 'textMap'
  | 'textsMap'
  | 'type'
  | 'anyMap'

export interface Shape {
  readonly fields: Readonly<Record<string, Field>>
  readonly required?: readonly string[]
  /** Members besides the fields: the kind of those whose key the pattern matches. */
  readonly others?: { readonly keys: RegExp; readonly kind: Kind }
  /** Whether a Reference Object may replace it. */
  readonly referable?: true
}
