import { keyText, stringText, valueText } from '../code/literal.js'
import { variableOf } from '../diff/proof/calls/credentials.js'
import { streaming } from '../model/content/streams.js'
import { credentialHelper } from '../model/credential-kinds.js'
import type { Model, Operation } from '../model/model.js'
import { clientMethod } from '../reference/samples/javascript.js'
import { variablesOfScheme } from '../reference/samples/variables.js'
import { credentials } from '../samples/credentials.js'
import { exampleCalls } from '../samples/example-call.js'

/** The template data of a project that only calls an API. */
export function clientData(model: Model): object {
  const operation = firstCall(model)
  const schemes = schemesOf(model)
  const helpers = new Set(schemes.map(({ helper }) => helper))
  return {
    operation: operation.name,
    call: callOf(model, operation),
    imports: [...helpers, 'createClient', 'rest'].sort(),
    address: stringText(`http://127.0.0.1:4010${model.basePath}`),
    variables: [...new Set(schemes.flatMap(({ variables }) => variables))],
    credentials: schemes.map(({ name, helper, variables }) => {
      const isMissing = variables.map((variable) => `${variable} === undefined`).join(' || ')
      return `${keyText(name)}: ${isMissing} ? undefined : ${helper}(${variables.join(', ')})`
    }),
  }
}

/** A read without params, else any read, else any operation. */
function firstCall({ operations }: Model): Operation {
  const reads = operations.filter((one) => one.rest.method === 'GET' && streaming(one) === 'never')
  const plain = reads.find(({ rest }) => rest.parameters.every(({ required }) => !required))
  const found = plain ?? reads[0] ?? operations[0]
  if (found === undefined) throw new Error('The document has no operations')
  return found
}

function callOf(model: Model, operation: Operation): string {
  const { params } = exampleCalls(model)(operation)
  const given = Object.keys(params).length === 0 ? '' : valueText(params, 72)
  return `${clientMethod(operation.name)}(${given})`
}

/** Every scheme that needs a credential in requests, with the variables for it. */
function schemesOf({ securitySchemes }: Model) {
  const all = Object.fromEntries([...securitySchemes.keys()].map((name) => [name, []]))
  const { shown } = credentials({ securitySchemes }, { security: [all] }, variableOf)
  return Array.from(shown, ([name, { scheme, value }]) => ({
    name,
    helper: credentialHelper(scheme) ?? 'bearer',
    variables: variablesOfScheme(scheme, value),
  }))
}
