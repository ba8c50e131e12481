import { Temporal } from 'temporal-polyfill'
import { type Datetime, formatDatetime, MINUTE, parseDatetime } from '../../values/datetime.js'

/** The IANA name of a zone in its usual case. Undefined if there is no such zone. Offsets are not names. */
export function timezoneNamed(name: string): string | undefined {
  const known = zones.get(name)
  if (known !== undefined) return known.name
  if (!IANA_NAME.test(name)) return undefined
  try {
    const canonical = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId
    if (!zones.has(canonical)) zones.set(canonical, { name: canonical, spans: [] })
    return canonical
  } catch {
    return undefined
  }
}

/**
 * Converts a datetime to the UTC text that handlers receive, and keeps its fraction. A datetime without an
 * offset is local to the zone, by RFC 5545 section 3.3.5: the later instant in a gap, the earlier one in an
 * overlap. Undefined if the text is not a datetime, or outside the years 0 to 9999.
 */
export function toUtc(text: string, timezone: string): string | undefined {
  const datetime = parseDatetime(text)
  if (datetime === undefined) return undefined
  const instant =
    datetime.offset === undefined
      ? wallToInstant(datetime, timezone)
      : datetime.wall - datetime.offset * MINUTE
  return formatDatetime(instant, datetime.fraction, 'Z')
}

/**
 * Converts a datetime with an offset to the zone's local time and offset. Undefined if the text is not a
 * datetime, has no offset, or is outside the years 0 to 9999.
 */
export function toZone(text: string, timezone: string): string | undefined {
  const datetime = parseDatetime(text)
  if (datetime?.offset === undefined) return undefined
  const instant = datetime.wall - datetime.offset * MINUTE
  const offset = offsetAt(instant, timezone)
  return formatDatetime(instant + offset * MINUTE, datetime.fraction, offset)
}

/** Excludes offsets such as `+01:00`, and texts long enough to be costly. */
const IANA_NAME = /^[A-Za-z][\w+\-/]{0,63}$/

interface Zone {
  readonly name: string
  /** The cached spans between two transitions. */
  spans: Span[]
}

interface Span {
  /** Milliseconds since the epoch; `to` is exclusive. */
  readonly from: number
  readonly to: number
  /** Minutes east of UTC. */
  readonly offset: number
}

/** Zones by name in its usual case. The database bounds their number. */
const zones = new Map<string, Zone>()

/** Enough for the years that a typical list of records covers. */
const MAX_SPANS = 64

function wallToInstant({ wall }: Datetime, timezone: string): number {
  if (timezone === 'UTC') return wall
  return Temporal.Instant.fromEpochMilliseconds(wall)
    .toZonedDateTimeISO('UTC')
    .toPlainDateTime()
    .toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds
}

/**
 * Minutes east of UTC at an instant. Historical local mean times are rounded to the minute, since RFC 3339
 * has no seconds in offsets.
 */
function offsetAt(instant: number, timezone: string): number {
  if (timezone === 'UTC') return 0
  const zone = zones.get(timezoneNamed(timezone) ?? '')
  if (zone === undefined) throw new RangeError(`${JSON.stringify(timezone)} is not a time zone name`)
  for (const span of zone.spans) if (instant >= span.from && instant < span.to) return span.offset
  const span = spanAround(instant, zone.name)
  if (zone.spans.length === MAX_SPANS) zone.spans = []
  zone.spans.push(span)
  return span.offset
}

function spanAround(instant: number, timezone: string): Span {
  const moment = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone)
  // `previous` excludes a transition at the very instant, so ask one nanosecond later.
  const from = moment.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')
  const to = moment.getTimeZoneTransition('next')
  return {
    from: from?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    to: to?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: Math.round(moment.offsetNanoseconds / 60e9),
  }
}
