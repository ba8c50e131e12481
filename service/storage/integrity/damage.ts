import { reasonOf } from '../../failure.js'

/** A file or folder is damaged. */
export class Damage extends Error {
  override readonly name = 'Damage'

  /** @param what continues the sentence that the path begins */
  constructor(
    readonly path: string,
    readonly what: string,
    cause?: unknown,
  ) {
    super(`${path} ${what}${cause === undefined ? '' : `: ${reasonOf(cause)}`}`, { cause })
  }

  /** The same damage, with a path relative to the parent folder. */
  below(folder: string): Damage {
    return new Damage(`${folder}/${this.path}`, this.what, this.cause)
  }
}
