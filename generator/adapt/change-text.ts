import type { Json } from '../document/document.js'
import { isObject, own } from '../document/json.js'
import { plainLimits } from '../document/vocabulary.js'
import type { Schema } from '../schema/schema.js'
import type { Passage } from './passage.js'
import { valuesOf } from './view.js'

/** Why the receiver refuses values of the sender, by what the documents state. */
export function changeText(passage: Passage, sent: Schema, received: Schema): string {
  const [from, to] = [passage.partOfSent(sent), passage.partOfReceived(received)]
  const [one, other] = [typesText(from), typesText(to)]
  if (one !== other) return `${passage.sender} has ${one}, ${passage.receiver} ${other}`
  for (const keyword of plainLimits) {
    const [was, is] = [own(from, keyword), own(to, keyword)]
    const isWider = typeof was === 'number' && typeof is === 'number' && isWithin(keyword, was, is)
    if (is !== undefined && !isWider && JSON.stringify(was) !== JSON.stringify(is)) {
      const before = was === undefined ? 'none' : textOf(was)
      return `${keyword} is ${before} in ${passage.sender}, ${textOf(is)} in ${passage.receiver}`
    }
  }
  const [values, known] = [valuesOf(sent, passage.from.resolve), valuesOf(received, passage.to.resolve)]
  if (known !== undefined) {
    const added = values?.filter((value) => !known.includes(value)) ?? []
    if (added.length > 0) return `${passage.receiver} has no ${added.map(textOf).join(', ')}`
  }
  return `${passage.receiver} does not accept every value of ${passage.sender}`
}

/** Whether a bound only became wider. */
function isWithin(keyword: string, was: number, is: number): boolean {
  return /max/i.test(keyword) ? was <= is : /min/i.test(keyword) && was >= is
}

function typesText(schema: Schema): string {
  const type = isObject(schema) ? own(schema, 'type') : undefined
  return type === undefined ? 'any type' : [type].flat().join(' or ')
}

/** A value as messages show it. */
export function textOf(value: Json): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}
