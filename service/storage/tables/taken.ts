/** Whether a statement failed because another row has the value (SQLSTATE unique_violation). */
export function isTaken(error: unknown, constraint: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === '23505' &&
    'constraint' in error &&
    error.constraint === constraint
  )
}
