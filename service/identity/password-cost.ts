/** The scrypt parameters of new hashes (RFC 7914). */
export interface PasswordCost {
  readonly N: number
  readonly r: number
  readonly p: number
}

// 64 MiB, and 130 to 150 ms when measured. 2^17 took 340 ms.
export const passwordCost: PasswordCost = { N: 2 ** 16, r: 8, p: 1 }
