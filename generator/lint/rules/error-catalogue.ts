import { builtInErrors } from 'duet-runtime/catalogue'
import type { Json } from '../../document/document.js'
import { isArray, isObject, own, quoted } from '../../document/json.js'
import type { Path } from '../../document/pointer.js'
import { closest } from '../../document/spelling.js'
import { below, type Context, type Rule } from './rule.js'

/** x-errors: the catalogue at the root, and the codes that operations name. */
export const errorCatalogue: Rule = (context) => {
  const catalogue = own(context.document.root, 'x-errors')
  const codes = [...Object.keys(builtInErrors), ...(isObject(catalogue) ? Object.keys(catalogue) : [])]
  return {
    document() {
      if (catalogue === undefined) return
      const path = below(undefined, 'x-errors')
      if (!isObject(catalogue)) context.report('errors-invalid', path, 'x-errors is not an object')
      else
        for (const [code, entry] of Object.entries(catalogue))
          checkEntry(context, code, entry, below(path, code))
    },
    operation(node) {
      const named = isObject(node.value) ? own(node.value, 'x-errors') : undefined
      if (named === undefined) return
      const path = below(node.path, 'x-errors')
      if (!isArray(named)) {
        context.report('errors-invalid', path, 'x-errors of an operation is not a list of codes', {
          remedy: 'Write a list of codes, such as [not_found].',
        })
        return
      }
      for (const [index, code] of named.entries()) {
        if (typeof code === 'string' && codes.includes(code)) continue
        const similar = typeof code === 'string' ? closest(code, codes) : undefined
        const remedy = similar && `Did you mean ${similar}?`
        context.report(
          'error-code-unknown',
          below(path, String(index)),
          `There is no error code ${quoted(code)}`,
          { remedy },
        )
      }
    },
  }
}

const isInteger = (value: Json) => Number.isInteger(value)
const isFailure = (value: Json) => isInteger(value) && Number(value) >= 400 && Number(value) <= 599

const fields: Readonly<
  Record<string, readonly [expected: string, accepts: (value: Json) => boolean, required: boolean]>
> = {
  title: ['text', (value) => typeof value === 'string' && value !== '', true],
  status: ['a whole number from 400 to 599', isFailure, true],
  rpc: ['a whole number', isInteger, true],
  rpcStatus: ['a whole number from 400 to 599', isFailure, false],
  description: ['text', (value) => typeof value === 'string', false],
  members: ['the name of a schema of components', (value) => typeof value === 'string', false],
}

function checkEntry(context: Context, code: string, entry: Json, path: Path): void {
  if (!/^[a-z][a-z0-9_]*$/.test(code)) {
    const remedy = 'Use small letters, digits and underscores, such as credit_exceeded.'
    context.report('errors-invalid', path, `${quoted(code)} cannot be an error code`, { remedy })
  }
  if (!isObject(entry)) {
    context.report('errors-invalid', path, `The error ${code} is not an object`)
    return
  }
  const components = own(context.document.root, 'components')
  const schemas = isObject(components) ? own(components, 'schemas') : undefined
  for (const [field, [expected, accepts, required]] of Object.entries(fields)) {
    const value = own(entry, field)
    if (value === undefined && required && !Object.hasOwn(builtInErrors, code))
      context.report('errors-invalid', path, `The error ${code} has no ${field}`)
    const isUnknown =
      field === 'members' &&
      typeof value === 'string' &&
      !(isObject(schemas) && Object.hasOwn(schemas, value))
    if (value === undefined || (accepts(value) && !isUnknown)) continue
    const message = `${field} of the error ${code} must be ${expected}`
    const remedy = field === 'members' ? { remedy: 'Write members: Name, for components.schemas.Name.' } : {}
    context.report('errors-invalid', below(path, field), message, remedy)
  }
  for (const field of Object.keys(entry)) {
    if (Object.hasOwn(fields, field) || field.startsWith('x-')) continue
    context.report('errors-invalid', below(path, field), `The error ${code} has no field ${field}`)
  }
}
