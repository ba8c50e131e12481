import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '../storage/integrity/durable-file.js'

/** A user of the sample data in `DATA_DIR/credentials.json`. */
export interface SampleUser {
  readonly login: string
  readonly password: string
  readonly apiKey: string
  /** Name of the user's Reseller. */
  readonly reseller: string | null
  /** IANA name. */
  readonly timezone: string | null
}

export interface CredentialsFile {
  /** Writes the users before the new database is moved into place, so that a crash never loses their keys. */
  write(baseUrl: string, users: readonly SampleUser[]): Promise<void>
  /** Writes this start's base URL into the file and returns its path. Undefined if the operator removed the file. */
  update(baseUrl: string): Promise<string | undefined>
}

/** `credentials.json` in DATA_DIR. */
export function credentialsFile(dataDirectory: string): CredentialsFile {
  const path = join(dataDirectory, 'credentials.json')
  const write: CredentialsFile['write'] = (baseUrl, users) =>
    writeDurably(path, `${JSON.stringify({ baseUrl, users }, null, 2)}\n`)
  return {
    write,
    async update(baseUrl) {
      const users = await readUsers(path)
      if (users === undefined) return undefined
      await write(baseUrl, users)
      return path
    },
  }
}

async function readUsers(path: string): Promise<readonly SampleUser[] | undefined> {
  try {
    const { users } = JSON.parse(await readFile(path, 'utf8'))
    return Array.isArray(users) ? users : undefined
  } catch {
    // The operator removed or replaced the file, so we leave it alone.
    return undefined
  }
}
