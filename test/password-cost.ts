import type { PasswordCost } from '../service/identity/password-cost.js'

/** Replaces the service's password cost in tests (vitest.config.ts), which do not need strong hashes. */
export const passwordCost: PasswordCost = { N: 2 ** 11, r: 8, p: 1 }
