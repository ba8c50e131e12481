/** A timestamptz as PostgreSQL writes it in UTC (`2026-01-31 23:59:59.5+00`) as ISO 8601 (`2026-01-31T23:59:59.5Z`). */
export function fromTimestamptz(text: string): string {
  const match = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)\+00$/.exec(text)
  if (match === null) throw new Error(`Not a timestamp in UTC: ${text}`)
  return `${match[1]}T${match[2]}Z`
}

/**
 * A UTC datetime (RFC 3339) as a timestamptz parameter. Cuts digits below the microsecond, since PostgreSQL
 * could round them up into the future. Years outside its range become infinities.
 */
export function toTimestamptz(datetime: string): string {
  const match = /^([+-]?\d{4,})(-\d\d-\d\d[Tt ]\d\d:\d\d):(\d\d)(?:\.(\d+))?[Zz]$/.exec(datetime)
  if (match === null) throw new Error(`Not a UTC datetime: ${datetime}`)
  const [, year = '', rest = '', second = '', fraction = ''] = match
  if (Number(year) < 1) return '-infinity'
  if (Number(year) > 9999) return 'infinity'
  // PostgreSQL has no fractions of a leap second. We use the second before it, like the runtime.
  return `${year.slice(-4)}${rest}:${second === '60' ? '59' : second}.${fraction.slice(0, 6).padEnd(6, '0')}Z`
}
