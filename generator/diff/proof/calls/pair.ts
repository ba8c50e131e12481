import type { Operation } from '../../../model/model.js'
import type { Version } from './version.js'

/** An operation in both versions. */
export interface Pair {
  readonly old: Version
  readonly new: Version
  readonly before: Operation
  readonly after: Operation
  /** The version whose credentials the call has. Both if absent. */
  readonly credentials?: 'old'
  /** The part of the address that changed: the new version receives the calls at the old one. */
  readonly keeps?: 'base path' | 'path of JSON-RPC'
  /** Whether requests have commas as they are, which divide a text. Clients encode them. */
  readonly hasBareCommas?: boolean
}
