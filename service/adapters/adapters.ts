import type { Adapter } from 'duet-runtime'
import { adapter as from1_0 } from './1.0.0-to-1.1.0.js'
import { adapter as from1_1 } from './1.1.0-to-2.0.0-rc.1.js'
import type { SenderIdentity } from './jwt.js'

/** How each version is served by the next one. */
export function createAdapters(identity: SenderIdentity): Readonly<Record<string, Adapter>> {
  return { '1.0.0': from1_0, '1.1.0': from1_1(identity) }
}
