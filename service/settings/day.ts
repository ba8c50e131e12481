/** Whether a text is a day of the calendar: `2027-06-30`. `Date.parse` takes 2027-06-31 for the day after it. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && text >= '0001' && new Date(text).toJSON()?.startsWith(text)
}
