/** The page of a user's key. */
export function keyPath(userId: number, keyId: number): string {
  return `/admin/users/${userId}/keys/${keyId}`
}
