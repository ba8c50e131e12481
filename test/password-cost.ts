import type { PasswordCost } from '../service/identity/password-cost.js'

/** Stands in for the service's own cost in tests (vitest.config.ts), of which most need a password and none its strength. */
export const passwordCost: PasswordCost = { N: 2 ** 11, r: 8, p: 1 }
