import Ajv2020 from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

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
  const ajv = new Ajv2020.default({ strict: false, validateFormats: true, logger: false })
  formats.default(ajv)
  ajv.addSchema(root, 'document')
  return ajv.validate({ $ref: `document${encodeURI(pointer)}` }, value)
}
