import { InvalidArgumentError } from 'commander'

/** A parser of an option's value, for commander. `advice` is the message for any other text. */
export function wholeNumber(least: 0 | 1, digits: number, advice: string): (text: string) => number {
  return (text) => {
    if (!/^\d+$/.test(text) || text.length > digits || Number(text) < least)
      throw new InvalidArgumentError(advice)
    return Number(text)
  }
}
