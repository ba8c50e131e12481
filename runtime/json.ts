/** JSON that keeps all digits of its integers, for the form in the reference. */
export { inexactPlaces } from './contract/exact-numbers.js'
export { anywhere, nativeInt64, withExactInt64 } from './contract/int64.js'
export { parseJson } from './contract/json.js'
export { decimalOf, isExact } from './values/decimal.js'
export { endOfNumber, isLongNumber } from './values/json-scan.js'
export { jsonText } from './values/json-text.js'
