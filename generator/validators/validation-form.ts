/**
 * Forms of a schema as a validator. `params`: fills in defaults, and the offset of a zoned datetime is
 * optional. `branch`: the same below anyOf, oneOf and the like, where the defaults of a failing branch would
 * stay; properties with a default are optional. `condition`: below not, if and the like, where requiring less
 * would refuse more. `result`: fills in nothing. The first three forbid read-only properties, the last forbids
 * write-only ones.
 */
export type ValidationForm = 'params' | 'branch' | 'condition' | 'result'

export const validationForms: readonly ValidationForm[] = ['params', 'branch', 'condition', 'result']
