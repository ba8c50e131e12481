/**
 * The time zone with this name of the IANA database, in any case, as the database writes it: `europe/berlin` is
 * `Europe/Berlin`. Undefined: there is none. Offsets such as +02:00 are not names.
 */
export function timezoneNamed(name: string): string | undefined {
  if (!/^[A-Za-z][\w+\-/]*$/.test(name)) return undefined
  const listed = byLowerCase.get(name.toLowerCase())
  if (listed !== undefined) return listed
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    // An alias, such as Asia/Kolkata, may resolve to another name and keeps its own.
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name
  } catch {
    return undefined
  }
}

/** Names to choose from. */
export const timezones: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')]

const byLowerCase = new Map(timezones.map((name) => [name.toLowerCase(), name]))
