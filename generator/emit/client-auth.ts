import type { SecurityScheme } from 'duet-runtime'
import { code, join, type Name, type Printable, typeNamed } from '../code/code.js'
import { key, literal } from '../code/literal.js'
import { credentialHelper, mayBeAmbient } from '../model/credential-kinds.js'
import type { Model } from '../model/model.js'
import { schemeText } from '../model/scheme-text.js'
import type { SourceFile } from './file.js'

/** Type of `auth`: credentials by scheme, or one unnamed credential. `never` if the document has no schemes. */
export const authType: Name = typeNamed('./client.js', 'Auth')

/** The helpers that fit a document's security schemes. The client module exports them. */
export function credentialHelpers({ securitySchemes }: Model): string[] {
  const schemes = [...securitySchemes.values()]
  const helpers = new Set(schemes.flatMap((scheme) => credentialHelper(scheme) ?? []))
  return [
    ...(schemes.some(mayBeAmbient) ? ['ambient'] : []),
    ...helpers,
    ...(helpers.has('bearer') ? ['renewingToken'] : []),
  ]
}

/** `Credentials` and `Auth`: what a client of the document accepts. */
export function printAuth(file: SourceFile, { securitySchemes }: Model): void {
  const schemes = [...securitySchemes]
  file.blank()
  if (schemes.length === 0) {
    file.doc('The document has no security schemes.')
    file.line`export type ${authType} = never`
    return
  }
  file.doc('Credentials by the name of their security scheme.')
  file.line`export type ${credentialsType} = {`
  file.indented(() => {
    for (const [name, scheme] of schemes) {
      file.doc(schemeText(scheme))
      file.line`readonly ${key(name)}?: ${join(typesOf(scheme), ' | ')} | undefined`
    }
  })
  file.line`}`
  file.blank()
  file.doc(
    'Credentials of the client or of a call. Without the name of a scheme, a credential is for all schemes of its kind.',
  )
  file.line`export type ${authType} = ${join([credentialsType, ...unnamed(schemes)], ' | ')}`
}

const credentialsType = typeNamed('./client.js', 'Credentials')

/** Credentials that need no scheme name. Two API keys need one, since they would be ambiguous. */
function unnamed(schemes: readonly (readonly [string, SecurityScheme])[]): Printable[] {
  const helpers = schemes.flatMap(([, scheme]) => credentialHelper(scheme) ?? [])
  return [...new Set(helpers)]
    .filter((helper) => helper !== 'apiKey' || helpers.indexOf(helper) === helpers.lastIndexOf(helper))
    .map(credentialOf)
}

function typesOf(scheme: SecurityScheme): Printable[] {
  const helper = credentialHelper(scheme)
  return [
    ...(helper === undefined ? [] : [credentialOf(helper)]),
    ...(mayBeAmbient(scheme) ? [credentialOf('ambient')] : []),
  ]
}

function credentialOf(kind: string): Printable {
  return code`${typeNamed('duet-runtime/client', 'Credential')}<${literal(kind)}>`
}
