import type { Position } from '../../document/document.js'

/** Turns offsets of a text into positions. Builds its line table on first use. */
export class LineTable {
  readonly #file: string
  readonly #text: string
  #starts: number[] | undefined

  constructor(file: string, text: string) {
    this.#file = file
    this.#text = text
  }

  /** Position of an offset in UTF-16 units. Offsets beyond the end count as the end. */
  position(offset: number): Position {
    const starts = this.#lineStarts()
    const at = Math.min(Math.max(offset, 0), this.#text.length)
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= at) low = middle
      else high = middle - 1
    }
    return { file: this.#file, line: low + 1, column: at - (starts[low] ?? 0) + 1 }
  }

  #lineStarts(): number[] {
    if (this.#starts === undefined) {
      this.#starts = [0]
      for (let at = this.#text.indexOf('\n'); at !== -1; at = this.#text.indexOf('\n', at + 1)) {
        this.#starts.push(at + 1)
      }
    }
    return this.#starts
  }
}
