/** The parts of an RFC 3339 date-time. */
export interface Datetime {
  /** The wall clock read as if it were UTC, in milliseconds since the epoch, whole seconds. */
  readonly wall: number
  /** The second's fraction with its point, as written; empty if there is none. */
  readonly fraction: string
  /** Minutes east of UTC; undefined if the text has no offset. */
  readonly offset: number | undefined
}

/**
 * Parses an RFC 3339 date-time (section 5.6) with an optional offset. Undefined for any other text. A leap
 * second becomes the second before it, as in Temporal.
 */
export function parseDatetime(text: string): Datetime | undefined {
  const match = DATETIME.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour, minute, second, fraction = '', zone, sign, zoneHour, zoneMinute] = match
  const offset = offsetMinutes(zone, sign, Number(zoneHour), Number(zoneMinute))
  const leap = second === '60'
  if (Number(hour) > 23 || Number(minute) > 59 || (Number(second) > 59 && !leap) || offset === null) {
    return undefined
  }
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined
  const wall = date.setUTCHours(Number(hour), Number(minute), leap ? 59 : Number(second))
  if (leap && !endsUtcDay(wall - (offset ?? 0) * MINUTE)) return undefined
  return { wall, fraction, offset }
}

/** Writes a wall clock with a numeric offset in minutes, or with `Z`. Undefined outside the years 0 to 9999. */
export function formatDatetime(wall: number, fraction: string, offset: number | 'Z'): string | undefined {
  if (wall < FIRST || wall > LAST) return undefined
  const text = new Date(wall).toISOString().slice(0, 19)
  return text + fraction + (offset === 'Z' ? 'Z' : formatOffset(offset))
}

export const MINUTE = 60_000

const DATETIME = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|([+-])(\d\d):(\d\d))?$/

const FIRST = Date.parse('0000-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59Z')
const DAY = 86_400_000

/** Minutes of an offset; undefined if there is none, null if it is out of range. */
function offsetMinutes(zone: string | undefined, sign: string | undefined, hours: number, minutes: number) {
  if (zone === undefined) return undefined
  if (sign === undefined) return 0
  if (hours > 23 || minutes > 59) return null
  return (sign === '-' ? -1 : 1) * (hours * 60 + minutes)
}

function endsUtcDay(instant: number): boolean {
  return (((instant + 1000) % DAY) + DAY) % DAY === 0
}

function formatOffset(minutes: number): string {
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}
