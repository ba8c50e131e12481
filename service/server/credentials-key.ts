/** What a POSIX shell puts the first user's API key in the place of, given the path of the credentials file. */
export function keyIn(credentialsPath: string): string {
  // The text is JavaScript within single quotes of the shell, which nothing but a single quote ends.
  const path = JSON.stringify(credentialsPath).replaceAll("'", '\\u0027')
  return `$(node -p 'require(${path}).users[0].apiKey')`
}
