import type { IncomingMessage } from 'node:http'
import { tokenOf } from '../admin/session-cookie.js'

/** All credentials in a request, good or not: an API key, a token, a session of the administration area. */
export function credentialsIn({ headers }: Pick<IncomingMessage, 'headers'>): string[] {
  const { 'x-api-key': apiKey, authorization = '' } = headers
  const token = /^bearer +(.+)$/i.exec(authorization)?.[1]?.trim()
  const session = tokenOf({ headers }, true) ?? tokenOf({ headers }, false)
  return [apiKey, token, session].filter((each) => typeof each === 'string' && each !== '') as string[]
}
