import { api } from './duet-api.mjs'

/** @param {Request} request */
export const fetch = (request) => api.fetch(request)
