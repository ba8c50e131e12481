import { objectOf } from '../document/cursor.js'
import type { JsonObject } from '../document/document.js'
import { isObject, own } from '../document/json.js'
import type { Model } from '../model/model.js'
import { wordsOf } from './html/markdown.js'
import { serversOf } from './start-view.js'
import { scriptJson } from './try-it.js'
import { memberOf, textOf } from './written.js'

/**
 * The data on the service for the pages' script, as JSON for a `script` element.
 *
 * @param module the module of the typed client
 */
export function settingsOf(model: Model, module: string): string {
  const written = memberOf(memberOf(model.openapi, 'components'), 'securitySchemes')
  return scriptJson({
    title: model.title,
    version: model.version,
    module,
    basePath: model.basePath,
    ...(model.rpcPath !== '/' && { rpcPath: model.rpcPath }),
    errors: objectOf(
      Array.from(model.errors, ([code, { title, status, rpc }]) => [code, { title, status, rpc }]),
    ),
    servers: serversOf(model, mostChoices).map((server) => ({
      ...server,
      description: wordsOf(server.description),
    })),
    securitySchemes: objectOf(
      Array.from(model.securitySchemes, ([name, scheme]) => [
        name,
        { ...scheme, ...flowsOf(memberOf(written, name)) },
      ]),
    ),
  })
}

/** Most URLs of one server in the list to choose from. */
const mostChoices = 30

/** The OAuth 2 flows that a page can go through (OpenAPI 3.1, OAuth Flows Object). */
function flowsOf(scheme: JsonObject): JsonObject {
  if (own(scheme, 'type') !== 'oauth2') return {}
  const flows = memberOf(scheme, 'flows')
  const found = ['authorizationCode', 'clientCredentials'].flatMap((name): [string, JsonObject][] => {
    const flow = own(flows, name)
    if (!isObject(flow)) return []
    const [token, authorization] = [textOf(flow, 'tokenUrl'), textOf(flow, 'authorizationUrl')]
    const scopes = Object.entries(memberOf(flow, 'scopes')).map(([scope, text]): [string, string] => [
      scope,
      String(text),
    ])
    if (token === undefined || (name === 'authorizationCode' && authorization === undefined)) return []
    return [[name, { token, ...(authorization && { authorization }), scopes: objectOf(scopes) }]]
  })
  return found.length === 0 ? {} : { flows: objectOf(found) }
}
