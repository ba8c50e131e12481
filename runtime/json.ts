/** JSON that keeps all digits of its integers, for the form in the reference. */
export { anywhere, nativeInt64, withExactInt64 } from './contract/int64.js'
export { parseJson } from './contract/json.js'
export { jsonText } from './values/json-text.js'
