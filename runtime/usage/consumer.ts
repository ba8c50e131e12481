import { createHmac } from 'node:crypto'

/** The name of a consumer in a ledger. Only a reader with the salt can tell who it is. */
export function consumerHash(salt: string, consumer: string): string {
  return createHmac('sha256', salt).update(consumer).digest('hex').slice(0, 16)
}
