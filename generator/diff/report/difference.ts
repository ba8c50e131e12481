/** The elements of two lists that are not in their longest common subsequence. */
export interface Difference {
  readonly old: readonly boolean[]
  readonly new: readonly boolean[]
}

/** Compares two lists. The cost grows with the product of the lengths between their common ends. */
export function difference(old: readonly string[], fresh: readonly string[]): Difference {
  let start = 0
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++
  let end = 0
  while (
    end < old.length - start &&
    end < fresh.length - start &&
    old[old.length - 1 - end] === fresh[fresh.length - 1 - end]
  )
    end++
  const [rows, columns] = [old.length - start - end, fresh.length - start - end]
  const inside = (length: number) => Array.from({ length }, (_, at) => at >= start && at < length - end)
  const marks = { old: inside(old.length), new: inside(fresh.length) }
  if (rows * columns > limit) return marks
  const width = columns + 1
  const lengths = new Uint16Array((rows + 1) * width)
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0
  for (let row = rows - 1; row >= 0; row--)
    for (let column = columns - 1; column >= 0; column--)
      lengths[row * width + column] =
        old[start + row] === fresh[start + column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
  for (let row = 0, column = 0; row < rows && column < columns; )
    if (old[start + row] === fresh[start + column]) {
      marks.old[start + row] = false
      marks.new[start + column] = false
      row++
      column++
    } else if (at(row + 1, column) >= at(row, column + 1)) row++
    else column++
  return marks
}

/** Above this cost, everything between the common ends counts as different. */
const limit = 250_000
