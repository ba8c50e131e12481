import type { Field, Kind, Shape } from './field.js'

const one = (kind: Kind): Field => ({ one: kind })
const list = (kind: Kind): Field => ({ list: kind })
const map = (kind: Kind): Field => ({ map: kind })
const text: Field = { data: 'text' }
const flag: Field = { data: 'flag' }
const any: Field = { data: 'any' }
const choice = (...values: string[]): Field => ({ data: 'text', values })

const operation = one('operation')
const described = { summary: text, description: text }

/** What Parameter and Header Objects share. */
const parameterFields = {
  description: text,
  required: flag,
  deprecated: flag,
  allowEmptyValue: flag,
  explode: flag,
  allowReserved: flag,
  schema: one('schema'),
  example: any,
  examples: map('example'),
  content: map('mediaType'),
}

/** All Objects of OpenAPI 3.1.1 section 4.8 but the Schema Object; fields that only 3.2 has are allowed throughout. */
export const objects: Readonly<Record<Exclude<Kind, 'schema'>, Shape>> = {
  document: {
    fields: {
      openapi: text,
      $self: text,
      info: one('info'),
      jsonSchemaDialect: text,
      servers: list('server'),
      paths: one('paths'),
      webhooks: map('pathItem'),
      components: one('components'),
      security: list('securityRequirement'),
      tags: list('tag'),
      externalDocs: one('externalDocs'),
    },
    required: ['openapi', 'info'],
  },
  info: {
    fields: {
      title: text,
      ...described,
      termsOfService: text,
      contact: one('contact'),
      license: one('license'),
      version: text,
    },
    required: ['title', 'version'],
  },
  contact: { fields: { name: text, url: text, email: text } },
  license: { fields: { name: text, identifier: text, url: text }, required: ['name'] },
  server: {
    fields: { url: text, name: text, description: text, variables: map('serverVariable') },
    required: ['url'],
  },
  serverVariable: {
    fields: { enum: { data: 'texts' }, default: text, description: text },
    required: ['default'],
  },
  components: {
    fields: {
      schemas: map('schema'),
      responses: map('response'),
      parameters: map('parameter'),
      examples: map('example'),
      requestBodies: map('requestBody'),
      headers: map('header'),
      securitySchemes: map('securityScheme'),
      links: map('link'),
      callbacks: map('callback'),
      pathItems: map('pathItem'),
      mediaTypes: map('mediaType'),
    },
  },
  paths: { fields: {}, others: { keys: /^(?!x-)/, kind: 'pathItem' } },
  pathItem: {
    fields: {
      $ref: text,
      ...described,
      get: operation,
      put: operation,
      post: operation,
      delete: operation,
      options: operation,
      head: operation,
      patch: operation,
      trace: operation,
      query: operation,
      additionalOperations: map('operation'),
      servers: list('server'),
      parameters: list('parameter'),
    },
    referable: true,
  },
  operation: {
    fields: {
      tags: { data: 'texts' },
      ...described,
      externalDocs: one('externalDocs'),
      operationId: text,
      parameters: list('parameter'),
      requestBody: one('requestBody'),
      responses: one('responses'),
      callbacks: map('callback'),
      deprecated: flag,
      security: list('securityRequirement'),
      servers: list('server'),
    },
  },
  externalDocs: { fields: { description: text, url: text }, required: ['url'] },
  parameter: {
    fields: {
      name: text,
      in: choice('query', 'querystring', 'header', 'path', 'cookie'),
      style: choice(
        'matrix',
        'label',
        'simple',
        'form',
        'spaceDelimited',
        'pipeDelimited',
        'deepObject',
        'cookie',
      ),
      ...parameterFields,
    },
    required: ['name', 'in'],
    referable: true,
  },
  requestBody: {
    fields: { description: text, content: map('mediaType'), required: flag },
    required: ['content'],
    referable: true,
  },
  mediaType: {
    fields: {
      schema: one('schema'),
      itemSchema: one('schema'),
      example: any,
      examples: map('example'),
      encoding: map('encoding'),
      prefixEncoding: list('encoding'),
      itemEncoding: one('encoding'),
    },
    referable: true,
  },
  encoding: {
    fields: {
      contentType: text,
      headers: map('header'),
      style: choice('form', 'spaceDelimited', 'pipeDelimited', 'deepObject'),
      explode: flag,
      allowReserved: flag,
      encoding: map('encoding'),
      prefixEncoding: list('encoding'),
      itemEncoding: one('encoding'),
    },
  },
  responses: { fields: {}, others: { keys: /^(?!x-)/, kind: 'response' } },
  response: {
    fields: { ...described, headers: map('header'), content: map('mediaType'), links: map('link') },
    referable: true,
  },
  callback: { fields: {}, others: { keys: /^(?!x-|\$ref$)/, kind: 'pathItem' }, referable: true },
  example: {
    fields: { ...described, value: any, externalValue: text, dataValue: any, serializedValue: text },
    referable: true,
  },
  link: {
    fields: {
      operationRef: text,
      operationId: text,
      parameters: { data: 'anyMap' },
      requestBody: any,
      description: text,
      server: one('server'),
    },
    referable: true,
  },
  header: { fields: { style: choice('simple'), ...parameterFields }, referable: true },
  tag: {
    fields: { name: text, ...described, externalDocs: one('externalDocs'), parent: text, kind: text },
    required: ['name'],
  },
  discriminator: {
    fields: { propertyName: text, mapping: { data: 'textMap' }, defaultMapping: text },
    required: ['propertyName'],
  },
  xml: {
    fields: { name: text, namespace: text, prefix: text, attribute: flag, wrapped: flag, nodeType: text },
  },
  securityScheme: {
    fields: {
      type: choice('apiKey', 'http', 'mutualTLS', 'oauth2', 'openIdConnect'),
      description: text,
      name: text,
      in: choice('query', 'header', 'cookie'),
      scheme: text,
      bearerFormat: text,
      flows: one('oauthFlows'),
      openIdConnectUrl: text,
      oauth2MetadataUrl: text,
      deprecated: flag,
    },
    required: ['type'],
    referable: true,
  },
  oauthFlows: {
    fields: {
      implicit: one('oauthFlow'),
      password: one('oauthFlow'),
      clientCredentials: one('oauthFlow'),
      authorizationCode: one('oauthFlow'),
      deviceAuthorization: one('oauthFlow'),
    },
  },
  oauthFlow: {
    fields: {
      authorizationUrl: text,
      deviceAuthorizationUrl: text,
      tokenUrl: text,
      refreshUrl: text,
      scopes: { data: 'textMap' },
    },
    required: ['scopes'],
  },
  securityRequirement: { fields: {} },
}
