/** JSON with the digits of its integers, for the form in the reference. */
export { anywhere, withExactInt64 } from './core/int64.js'
export { parseJson } from './core/json.js'
export { jsonText } from './core/json-text.js'
