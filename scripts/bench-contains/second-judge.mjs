import { setShouldValidateFormat, setShouldValidateSchema } from '@hyperjump/json-schema'
import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/draft-2020-12'
import '@hyperjump/json-schema/draft-2019-09'
import '@hyperjump/json-schema/draft-07'
import '@hyperjump/json-schema/draft-06'
import '@hyperjump/json-schema/draft-04'

const metaSchemas = {
  draft4: 'http://json-schema.org/draft-04/schema',
  draft6: 'http://json-schema.org/draft-06/schema',
  draft7: 'http://json-schema.org/draft-07/schema',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
}
let count = 0

/**
 * A validator that follows the specification where AJV does not: formats are annotations, as they are unless
 * a meta-schema says otherwise. Returns a text if it does not accept the schema; a check returns `undefined`
 * if it cannot decide a value.
 */
export async function secondJudge(schema, dialect) {
  setShouldValidateSchema(false)
  setShouldValidateFormat(false)
  count += 1
  const address = `https://duet.example/${count}`
  try {
    registerSchema(structuredClone(schema), address, metaSchemas[dialect])
    const accepts = await validate(address)
    return (value) => {
      try {
        return accepts(structuredClone(value)).valid
      } catch {
        return undefined
      }
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    try {
      unregisterSchema(address)
    } catch {
      // The schema was refused, so it was never registered.
    }
  }
}
