import type { Validator } from '../contract/contract.js'

/** A validator of generated code. */
interface Check extends Validator {
  (data: unknown, context?: unknown): boolean
  /** If the schema needs it: the members and items that the last call has evaluated. */
  evaluated?: Evaluated
}

interface Evaluated {
  props?: unknown
  items?: unknown
}

/** A check's decision on one value. */
interface Decision {
  readonly errors: NonNullable<Validator['errors']> | undefined
  readonly props: unknown
  readonly items: unknown
}

/**
 * Caches the decisions of a recursive schema's check within one validation. The schema may check one value in
 * several ways, and each way would double the calls with each level.
 */
export function remembered(check: Check): Check {
  const remembering: Check = (data, context?: unknown) => {
    if (typeof data !== 'object' || data === null) return check(data, context)
    depth++
    try {
      return decided(remembering, check, data, context)
    } finally {
      depth--
      if (depth === 0) decisions = undefined
    }
  }
  return remembering
}

let depth = 0
let decisions: Map<Check, Map<object, Decision>> | undefined

function decided(remembering: Check, check: Check, data: object, context: unknown): boolean {
  decisions ??= new Map()
  let known = decisions.get(check)
  if (known === undefined) {
    known = new Map()
    decisions.set(check, known)
  }
  const { evaluated } = remembering
  const decision = known.get(data)
  if (decision !== undefined) {
    // The caller modifies the list, so pass a copy.
    remembering.errors = decision.errors?.slice() ?? null
    if (evaluated !== undefined) {
      evaluated.props = copied(decision.props)
      evaluated.items = decision.items
    }
    return decision.errors === undefined
  }
  const isValid = check(data, context)
  const errors = isValid ? undefined : (remembering.errors ?? []).slice()
  known.set(data, { errors, props: copied(evaluated?.props), items: evaluated?.items })
  return isValid
}

function copied(props: unknown): unknown {
  return typeof props === 'object' && props !== null ? { ...props } : props
}
