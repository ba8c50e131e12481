/**
 * Forms of a schema as a validator. `params`: defaults are filled in, a zoned datetime may lack its
 * offset. `branch`: the same below anyOf, oneOf and the like, where a default filled in by a branch that
 * then fails would stay; what has one is not required. `condition`: below not, if and the like, where to
 * require less would be to refuse more. `result`: nothing is filled in. What is read-only is forbidden in the
 * first three, what is write-only in the last.
 */
export type ValidationForm = 'params' | 'branch' | 'condition' | 'result'

export const validationForms: readonly ValidationForm[] = ['params', 'branch', 'condition', 'result']
