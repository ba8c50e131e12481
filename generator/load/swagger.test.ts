import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parsePointer, valueAt } from '../document/pointer.js'
import { lint } from '../lint/lint.js'
import { loadDocument } from './load.js'

const pets = `
swagger: '2.0'
info: { title: Pets, version: 1.0.0 }
host: pets.example
basePath: /v2/
schemes: [https, http]
consumes: [application/json]
produces: [application/json]
paths:
  /pets/{id}:
    parameters:
      - { name: id, in: path, required: true, type: integer, minimum: 1 }
    get:
      parameters:
        - { name: tags, in: query, type: array, items: { type: string } }
        - { name: all, in: query, type: array, collectionFormat: multi, items: { type: string } }
        - $ref: '#/parameters/Page'
      responses:
        200: { description: A pet, schema: { $ref: '#/definitions/Pet' }, examples: { application/json: { kind: cat } } }
        default: { $ref: '#/responses/Failed' }
    put:
      parameters:
        - { name: pet, in: body, required: true, schema: { $ref: '#/definitions/Pet' } }
      responses: { 204: { description: Done } }
    post:
      consumes: [multipart/form-data]
      parameters:
        - { name: photo, in: formData, required: true, type: file }
        - { name: note, in: formData, type: string, maxLength: 9, description: A note }
        - { name: tags, in: formData, type: array, items: { type: string } }
      responses: { 200: { description: Sent, schema: { type: file } } }
definitions:
  Pet:
    type: object
    discriminator: kind
    required: [kind]
    properties: { kind: { type: string }, default: { $ref: '#/definitions/Pet' }, age: { type: integer, x-nullable: true } }
parameters:
  Page: { name: page, in: query, type: integer, default: 1 }
responses:
  Failed: { description: Failed, schema: { $ref: '#/definitions/Pet' } }
securityDefinitions:
  login: { type: basic }
  token: { type: oauth2, flow: accessCode, authorizationUrl: 'https://a.example', tokenUrl: 'https://t.example', scopes: { read: Read } }
`

function load(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'duet-swagger-'))
  writeFileSync(join(folder, 'swagger.yaml'), text)
  const loaded = loadDocument('swagger.yaml', { cwd: folder })
  rmSync(folder, { recursive: true })
  return loaded
}

it('reads Swagger 2.0 as the equivalent OpenAPI document', () => {
  const { document, diagnostics } = load(pets)
  const pet = { $ref: '#/components/schemas/Pet' }
  expect(diagnostics.map(({ code }) => code)).toEqual(['swagger-converted'])
  expect(document && lint(document).filter(({ severity }) => severity === 'error')).toEqual([])
  expect(document?.root).toEqual({
    openapi: '3.1.1',
    info: { title: 'Pets', version: '1.0.0' },
    servers: [{ url: 'https://pets.example/v2' }, { url: 'http://pets.example/v2' }],
    paths: {
      '/pets/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }],
        get: {
          parameters: [
            {
              ...{ name: 'tags', in: 'query', style: 'form', explode: false },
              schema: { type: 'array', items: { type: 'string' } },
            },
            {
              ...{ name: 'all', in: 'query', style: 'form', explode: true },
              schema: { type: 'array', items: { type: 'string' } },
            },
            { $ref: '#/components/parameters/Page' },
          ],
          responses: {
            200: {
              description: 'A pet',
              content: { 'application/json': { schema: pet, example: { kind: 'cat' } } },
            },
            default: { $ref: '#/components/responses/Failed' },
          },
        },
        put: {
          parameters: [],
          requestBody: { required: true, content: { 'application/json': { schema: pet } } },
          responses: { 204: { description: 'Done' } },
        },
        post: {
          parameters: [],
          requestBody: {
            required: true,
            content: {
              'multipart/form-data': {
                schema: {
                  type: 'object',
                  required: ['photo'],
                  properties: {
                    photo: { type: 'string', contentMediaType: 'application/octet-stream' },
                    note: { type: 'string', maxLength: 9, description: 'A note' },
                    tags: { type: 'array', items: { type: 'string' } },
                  },
                },
                encoding: { tags: { style: 'form', explode: false } },
              },
            },
          },
          responses: {
            200: {
              description: 'Sent',
              content: {
                'application/octet-stream': {
                  schema: { type: 'string', contentMediaType: 'application/octet-stream' },
                },
              },
            },
          },
        },
      },
    },
    components: {
      schemas: {
        Pet: {
          type: 'object',
          discriminator: { propertyName: 'kind' },
          required: ['kind'],
          properties: { kind: { type: 'string' }, default: pet, age: { type: ['integer', 'null'] } },
        },
      },
      parameters: { Page: { name: 'page', in: 'query', schema: { type: 'integer', default: 1 } } },
      responses: { Failed: { description: 'Failed', content: { 'application/json': { schema: pet } } } },
      securitySchemes: {
        login: { type: 'http', scheme: 'basic' },
        token: {
          type: 'oauth2',
          flows: {
            authorizationCode: {
              authorizationUrl: 'https://a.example',
              tokenUrl: 'https://t.example',
              scopes: { read: 'Read' },
            },
          },
        },
      },
    },
  })
})

it('gives positions in the file', () => {
  const { document } = load(pets)
  const lines = pets.split('\n')
  const lineOf = (pointer: string) => lines[(document?.locate(pointer).line ?? 0) - 1]?.trim()
  expect(lineOf('#/components/schemas/Pet/required')).toBe('required: [kind]')
  expect(lineOf('#/components/parameters/Page/schema/default')).toBe(
    'Page: { name: page, in: query, type: integer, default: 1 }',
  )
  expect(lineOf('#/paths/~1pets~1{id}/put/requestBody/content/application~1json/schema')).toMatch(
    /^- { name: pet/,
  )
  expect(lineOf('#/paths/~1pets~1{id}/get/responses/200/content/application~1json/schema')).toMatch(/^200: /)
})

it('moves references into operations with what they refer to', () => {
  const { document, diagnostics } = load(`
swagger: '2.0'
info: { title: Tree, version: 1.0.0 }
produces: [application/json]
paths:
  /trees/{id}:
    put:
      parameters:
        - { name: id, in: path, required: true, type: string }
        - { name: tree, in: body, schema: { type: object, properties: { child: { $ref: '#/paths/~1trees~1%7Bid%7D/put/parameters/1/schema' } } } }
        - { name: page, in: query, type: integer }
        - { name: size, in: query, type: integer }
      responses:
        200: { description: Done, schema: { type: object, properties: { child: { $ref: '#/paths/~1trees~1%7Bid%7D/put/responses/200/schema' } } } }
        404: { $ref: '#/responses/Failed' }
    delete:
      parameters:
        - { name: id, in: path, required: true, type: string }
        - { $ref: '#/paths/~1trees~1%7Bid%7D/put/parameters/2' }
      responses: { 404: { description: Failed, schema: { $ref: '#/responses/Failed/schema' } } }
responses:
  Failed: { description: Failed, schema: { type: string } }
`)
  const put = '#/paths/~1trees~1{id}/put'
  const at = (pointer: string) => valueAt(document?.root ?? null, parsePointer(pointer) ?? [])
  expect(diagnostics.map(({ code }) => code)).toEqual(['swagger-converted'])
  const request = `${put}/requestBody/content/application~1json/schema`
  const response = `${put}/responses/200/content/application~1json/schema`
  expect(at(`${request}/properties/child`)).toEqual({ $ref: request })
  expect(at(`${response}/properties/child`)).toEqual({ $ref: response })
  expect(at('#/paths/~1trees~1{id}/delete/parameters/1')).toEqual({ $ref: `${put}/parameters/1` })
  expect(at(`${put}/parameters/1`)).toMatchObject({ name: 'page' })
  const failed = '#/components/responses/Failed/content/application~1json/schema'
  expect(at('#/paths/~1trees~1{id}/delete/responses/404/content/application~1json/schema')).toEqual({
    $ref: failed,
  })
})
