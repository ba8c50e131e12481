import { createHmac } from 'node:crypto'

/** The text that stands for a consumer in a ledger. Who does not know the salt cannot tell who it is. */
export function consumerHash(salt: string, consumer: string): string {
  return createHmac('sha256', salt).update(consumer).digest('hex').slice(0, 16)
}
