import type { Operation } from '../../../model/model.js'
import type { Version } from './version.js'

/** An operation in both versions. */
export interface Pair {
  readonly old: Version
  readonly new: Version
  readonly before: Operation
  readonly after: Operation
  /** Whose credentials a call carries; those of both versions where absent. */
  readonly credentials?: 'old'
  /** The part of the address that the change is about: the new version gets the calls at the old one's. */
  readonly keeps?: 'base path' | 'path of JSON-RPC'
}
