/** A command substitution for a POSIX shell that yields the first user's API key from the credentials file. */
export function keyIn(credentialsPath: string): string {
  // The JavaScript is inside single quotes of the shell, which only a single quote can end.
  const path = JSON.stringify(credentialsPath).replaceAll("'", '\\u0027')
  return `$(node -p 'require(${path}).users[0].apiKey')`
}
