// The params and results of the two jobs, for peers that describe them with Zod.
import { z } from 'zod'

const identifier = z.int().min(1)
const credit = z.number().min(-99999999999.9999).max(99999999999.9999)

export const gateways = z.array(
  z.object({
    id: identifier,
    name: z.string(),
    title: z.string(),
    credentials_id: z.int(),
    editable: z.boolean(),
  }),
)
export const client = z.object({ id: identifier, name: z.string(), credit, currency: z.string() })

/** The params of the list; in a query every value is text. @param {boolean} isText */
export function searchOf(isText) {
  const number = isText ? z.coerce.number().int() : z.int()
  return z.strictObject({
    editable: z.boolean().optional(),
    id: number.min(1).optional(),
    limit: number.min(0).max(1000).default(20),
    name: z.string().max(255).optional(),
    offset: number.min(0).default(0),
    order: z.array(z.string()).max(10).default([]),
  })
}

export const change = z.strictObject({ credit: credit.optional() })
export const update = z.strictObject({ id: identifier, credit: credit.optional() })
export const updateByPath = z.strictObject({ id: z.coerce.number().int().min(1), credit: credit.optional() })
export const path = z.object({ id: z.coerce.number().int().min(1) })
