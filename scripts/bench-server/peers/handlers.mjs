// The two jobs for all servers: in memory, and as fast as reading an array.
import { client, gateways } from '../jobs.mjs'

/** @param {{ limit?: number, offset?: number }} params */
export function listGateways({ limit = 20, offset = 0 }) {
  return gateways.slice(offset, offset + limit)
}

/** @param {{ id: number, credit?: number }} params */
export function updateClient({ id, credit }) {
  if (id !== client.id) throw new Error(`No client ${id}`)
  return { ...client, ...(credit !== undefined && { credit }) }
}

/** Whether an update's params are valid, checked by hand. @param {any} body */
export function isUpdate(body) {
  return typeof body === 'object' && body !== null && typeof body.credit === 'number'
}

/** Whether a value is the text of a row count. @param {unknown} text */
export function isLimit(text) {
  return typeof text === 'string' && /^\d{1,4}$/.test(text)
}
