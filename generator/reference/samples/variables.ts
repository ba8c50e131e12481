import type { SecurityScheme } from 'duet-runtime'
import { variableOf } from '../../diff/proof/calls/credentials.js'
import { credentialHelper } from '../../model/credential-kinds.js'
import type { Model, Operation } from '../../model/model.js'
import { credentials } from '../../samples/credentials.js'

/** The variables from which samples read the credentials of an operation: `API_KEY`. */
export function variablesOf(model: Model, operation: Operation): string[] {
  const { shown } = credentials(model, operation, variableOf)
  return [...new Set([...shown.values()].flatMap(({ scheme, value }) => variablesOfScheme(scheme, value)))]
}

/** @param value the placeholder of the credential: `$API_KEY` */
export function variablesOfScheme(scheme: SecurityScheme, value: string): string[] {
  return credentialHelper(scheme) === 'basic' ? ['API_USER', 'API_PASSWORD'] : [value.slice(1)]
}
