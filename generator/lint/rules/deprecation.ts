import { isObject, own, quoted } from '../../document/json.js'
import { below, type Rule } from './rule.js'
import { operationName } from './subject.js'

/** x-sunset (RFC 8594) and x-deprecated-since (RFC 9745): dates, only on deprecated parts. */
export const deprecation: Rule = (context) => ({
  any(node) {
    if (!isObject(node.value)) return
    const sunset = own(node.value, 'x-sunset')
    const since = own(node.value, 'x-deprecated-since')
    const deprecated = own(node.value, 'deprecated') === true
    if (sunset !== undefined && !isDate(sunset)) {
      context.report('sunset-invalid', below(node.path, 'x-sunset'), `${quoted(sunset)} is not a date`)
    }
    if (since !== undefined && !isDate(since)) {
      context.report(
        'deprecation-date-invalid',
        below(node.path, 'x-deprecated-since'),
        `${quoted(since)} is not a date`,
      )
    }
    if (isDate(sunset) && isDate(since) && Date.parse(sunset) < Date.parse(since)) {
      context.report(
        'sunset-early',
        below(node.path, 'x-sunset'),
        `x-sunset ${quoted(sunset)} is before x-deprecated-since ${quoted(since)}`,
      )
    }
    if (sunset !== undefined && !deprecated) {
      context.report(
        'sunset-without-deprecation',
        below(node.path, 'x-sunset'),
        'x-sunset is here without deprecated: true',
      )
    }
    if (node.kind === 'operation' && deprecated && since === undefined) {
      const message = `${operationName(node)} is deprecated without x-deprecated-since`
      context.report('deprecation-date-missing', below(node.path, 'deprecated'), message)
    }
  },
})

/** RFC 3339 full-date or date-time of an existing day. */
function isDate(value: unknown): value is string {
  const match =
    typeof value === 'string' &&
    /^(\d{4})-(\d\d)-(\d\d)([Tt]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d))?$/.exec(
      value,
    )
  if (!match) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}
