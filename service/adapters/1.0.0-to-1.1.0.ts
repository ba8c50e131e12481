import { derived, type Written } from './1.0.0-to-1.1.0.derived.js'

const written: Written = {}

/** How 1.1.0 serves calls of 1.0.0. */
export const adapter = { ...derived, ...written }
