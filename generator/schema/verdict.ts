/** Whether something holds. Undefined if that is not decided. */
export type Verdict = boolean | undefined

export function negated(verdict: Verdict): Verdict {
  return verdict === undefined ? undefined : !verdict
}

/** Whether one of two holds. Asks for the second only if the first does not. */
export function either(first: Verdict, second: () => Verdict): Verdict {
  if (first === true) return true
  const other = second()
  return other === true || first === other ? other : undefined
}

/** Whether both hold. Asks for the second only if the first may. */
export function both(first: Verdict, second: () => Verdict): Verdict {
  return negated(either(negated(first), () => negated(second())))
}

/** Whether all hold: false if one does not, whatever is undecided. */
export function every<Part>(parts: Iterable<Part>, verdictOf: (part: Part) => Verdict): Verdict {
  let result: Verdict = true
  for (const part of parts) {
    const verdict = verdictOf(part)
    if (verdict === false) return false
    if (verdict === undefined) result = undefined
  }
  return result
}

/** Whether at least one holds. */
export function some<Part>(parts: Iterable<Part>, verdictOf: (part: Part) => Verdict): Verdict {
  return negated(every(parts, (part) => negated(verdictOf(part))))
}

/** Whether at least `least` and at most `most` hold. */
export function counted<Part>(
  parts: Iterable<Part>,
  verdictOf: (part: Part) => Verdict,
  least: number,
  most: number,
): Verdict {
  let [certain, possible] = [0, 0]
  for (const part of parts) {
    const verdict = verdictOf(part)
    if (verdict !== false) possible += 1
    if (verdict === true) certain += 1
  }
  if (possible < least || certain > most) return false
  return certain >= least && possible <= most ? true : undefined
}
