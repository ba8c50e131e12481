import type { Operation } from 'duet-runtime/client'
import { isSchema, type Schema } from './page.js'

/** Whether browsers drop a header that a page sets, or set it themselves. */
export function isUnsent(header: string): boolean {
  const name = header.toLowerCase()
  return unsent.has(name) || /^(?:proxy|sec)-/.test(name)
}

/** Fetch Standard, forbidden request-header. Chromium drops `User-Agent` too. */
const unsent: ReadonlySet<string> = new Set(
  (
    'accept-charset accept-encoding access-control-request-headers access-control-request-method ' +
    'access-control-request-private-network connection content-length cookie cookie2 date dnt expect host keep-alive ' +
    'origin referer set-cookie te trailer transfer-encoding upgrade user-agent via'
  ).split(' '),
)

/** The params, with a note at those that only such headers carry. */
export function withUnsentNotes(params: Schema, { rest }: Pick<Operation, 'rest'>): Schema {
  const carried = new Set(rest.body?.shared)
  for (const { in: place, name, param } of rest.parameters)
    if (!(place === 'cookie' || (place === 'header' && isUnsent(name)))) carried.add(param)
  const named = isSchema(params.properties) ? params.properties : {}
  const properties = rest.parameters.flatMap(({ param }): [string, Schema][] => {
    const member = named[param]
    if (carried.has(param) || !isSchema(member)) return []
    return [[param, { ...member, description: `${member.description ?? ''}${note}` }]]
  })
  return { ...params, properties: { ...named, ...Object.fromEntries(properties) } }
}

const note = '<p class="hint-line">Browsers do not send this over REST. Use a sample.</p>'
