import { createRequire } from 'node:module'

// The validator that the generator depends on.
const require = createRequire(new URL('../../generator/package.json', import.meta.url))
const { default: Ajv2020 } = require('ajv/dist/2020.js')
const { default: formats } = require('ajv-formats')

/**
 * What is wrong with a ledger's witness, by AJV on the schemas of both documents; undefined where it is one. A request has to
 * be accepted by the old schema and rejected by the new one, an answer the other way round.
 */
export function flaw({ direction, old, new: fresh, value }, oldRoot, newRoot) {
  const before = accepts(oldRoot, old, value)
  const after = accepts(newRoot, fresh, value)
  const expected = direction === 'request'
  if (before === expected && after === !expected) return undefined
  const word = (accepted) => (accepted ? 'accepts' : 'rejects')
  return `the old schema ${word(before)} it and the new one ${word(after)} it`
}

function accepts(root, pointer, value) {
  const ajv = new Ajv2020({ strict: false, validateFormats: true, logger: false })
  formats(ajv)
  ajv.addSchema(root, 'document')
  return ajv.validate({ $ref: `document${encodeURI(pointer)}` }, value)
}
