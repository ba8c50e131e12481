// The two jobs, for all servers alike: in memory, and no slower than an array can be read.
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

/** Whether an update's params are what the document allows, as one checks it by hand. @param {any} body */
export function isUpdate(body) {
  return typeof body === 'object' && body !== null && typeof body.credit === 'number'
}

/** Whether text is a number of rows. @param {unknown} text */
export function isLimit(text) {
  return typeof text === 'string' && /^\d{1,4}$/.test(text)
}
