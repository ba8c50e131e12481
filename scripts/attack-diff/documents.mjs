import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readVersion } from '../../generator/dist/cli/diff/diff-reading.js'
import { buildModel } from '../../generator/dist/model/build/build.js'

const ok = (schema) => ({ 200: { description: 'Fine', content: { 'application/json': { schema } } } })
const body = (schema) => ({ required: true, content: { 'application/json': { schema } } })
const object = (value) => ({ type: 'object', properties: { value }, required: ['value'] })
const component = { $ref: '#/components/schemas/Value' }

/** Positions of a schema in a document, and who sees it there. */
export const places = [
  {
    name: 'body',
    directions: ['request'],
    operation: (schema) => ({ requestBody: body(object(schema)), responses: ok({ type: 'null' }) }),
  },
  {
    name: 'parameter',
    directions: ['request'],
    operation: (schema) => ({
      parameters: [{ name: 'value', in: 'query', required: true, schema }],
      responses: ok({ type: 'null' }),
    }),
  },
  { name: 'result', directions: ['response'], operation: (schema) => ({ responses: ok(object(schema)) }) },
  {
    name: 'component',
    directions: ['request', 'response'],
    shared: true,
    operation: () => ({
      requestBody: body(object(component)),
      responses: ok(object({ type: 'array', items: component })),
    }),
  },
]

/** A document with one operation that has a schema at a position. */
export function documentAround({ name, operation, shared = false }, { schema, shared: schemas }) {
  return {
    openapi: '3.1.1',
    info: { title: 'Shop', version: '1.0.0' },
    servers: [{ url: 'https://shop.example' }],
    paths: {
      '/values': {
        [name === 'body' || shared ? 'post' : 'get']: {
          operationId: 'values.do',
          summary: 'Does',
          ...operation(schema),
        },
      },
    },
    components: { schemas: { ...schemas, ...(shared ? { Value: schema } : {}) } },
  }
}

/** A document as a side of a review, read from a file in the folder. Undefined if it is invalid. */
export async function sideOf(folder, name, document) {
  writeFileSync(join(folder, name), JSON.stringify(document))
  return (await readVersion(name, folder, { buildModel })).side
}
