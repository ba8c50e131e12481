import { createRequire } from 'node:module'

// The generator's own validator.
const require = createRequire(new URL('../../generator/package.json', import.meta.url))
const { default: Ajv2020 } = require('ajv/dist/2020.js')
const { default: formats } = require('ajv-formats')

/**
 * Why a ledger's witness is wrong, by AJV on the schemas of both documents; undefined if it is right. For a
 * request, the old schema must accept the witness and the new one reject it; for a response the other way
 * round.
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
