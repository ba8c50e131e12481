import { parseArgs } from 'node:util'
import { Failure, reasonOf } from '../failure.js'
import { type Account, createAccount } from '../identity/account.js'
import type { ApiKeyVault } from '../identity/api-key.js'
import { isLogin } from '../identity/login.js'
import { passwordLength } from '../identity/password.js'
import { isName, isPassword, nameLength, roles } from '../identity/rules.js'
import { timezoneNamed } from '../settings/timezone.js'
import type { Database, Queryable } from '../storage/database/database.js'
import { type Actor, commandActor } from '../storage/tables/audit.js'
import { recordUser } from '../storage/tables/identity/accounts.js'
import { loginLike, resellerLike } from '../storage/tables/identity/look.js'
import { findReseller } from '../storage/tables/identity/users.js'
import { makeReseller } from '../storage/tables/resellers.js'

/** The arguments of `user:create`. */
export interface UserRequest {
  readonly login: string
  readonly role: string
  readonly reseller: string | undefined
  /** Creates the reseller if there is none with this name. */
  readonly createReseller: boolean
  /** IANA name. */
  readonly timezone: string | undefined
  /** Reads the password from standard input. Otherwise it is random. */
  readonly passwordFromInput: boolean
}

const usage =
  'usage: user:create --login LOGIN [--role ROLE] [--reseller NAME [--create-reseller]] [--timezone ZONE] [--password-stdin]'

/** @throws Failure with exit code 2 for wrong usage */
export function parseUserRequest(args: readonly string[]): UserRequest {
  const values = readOptions(args)
  const { login, role = 'user', reseller } = values
  if (login === undefined) throw new Failure(usage, 2)
  requireName('--login', login, nameLength.login)
  if (!isLogin(login)) throw new Failure('--login must have letters of one alphabet', 2)
  if (!roles.some((known) => known === role))
    throw new Failure(`--role must be one of ${roles.join(', ')}`, 2)
  if (reseller !== undefined) requireName('--reseller', reseller, nameLength.reseller)
  const timezone = values.timezone === undefined ? undefined : timezoneNamed(values.timezone)
  if (values.timezone !== undefined && timezone === undefined) {
    throw new Failure('--timezone must be a name of the IANA tz database such as Europe/Berlin', 2)
  }
  const createReseller = values['create-reseller'] === true
  if (createReseller && reseller === undefined)
    throw new Failure('--create-reseller needs --reseller NAME', 2)
  const passwordFromInput = values['password-stdin'] === true
  return { login, role, reseller, createReseller, timezone, passwordFromInput }
}

/**
 * Adds the user in one transaction.
 * @param password undefined: a random one
 * @throws Failure if the login is taken or the reseller does not exist
 */
export async function createUser(
  database: Database,
  vault: ApiKeyVault,
  request: UserRequest,
  password: string | undefined,
): Promise<Account> {
  const { minimum, maximum } = passwordLength
  if (password !== undefined && !isPassword(password)) {
    throw new Failure(
      `The password must have ${minimum} to ${maximum} characters${password.includes('\0') ? ', none of them NUL' : ''}`,
      2,
    )
  }
  try {
    return await database.transaction(async (transaction) => {
      const actor = commandActor('user:create')
      const like = await loginLike(transaction, request.login)
      if (like !== undefined) {
        throw new Failure(
          like === request.login
            ? `The login ${like} is taken`
            : `The login looks like ${like}, which is taken`,
          1,
        )
      }
      const account = await createAccount(transaction, vault, {
        login: request.login,
        password,
        role: request.role,
        resellerId: await resellerOf(transaction, actor, request),
        timezone: request.timezone ?? null,
      })
      await recordUser(transaction, actor, account.userId)
      return account
    })
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(`Cannot create the user: ${reasonOf(error)}`, 1, { cause: error })
  }
}

function readOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        login: { type: 'string' },
        role: { type: 'string' },
        reseller: { type: 'string' },
        'create-reseller': { type: 'boolean' },
        timezone: { type: 'string' },
        'password-stdin': { type: 'boolean' },
      },
    }).values
  } catch (error) {
    throw new Failure(`${reasonOf(error)}; ${usage}`, 2, { cause: error })
  }
}

function requireName(option: string, text: string, maximum: number): void {
  if (isName(text, maximum)) return
  throw new Failure(
    `${option} must have 1 to ${maximum} characters, no control or invisible characters, and no spaces around them`,
    2,
  )
}

async function resellerOf(
  transaction: Queryable,
  actor: Actor,
  { reseller, createReseller }: UserRequest,
): Promise<number | null> {
  if (reseller === undefined) return null
  const found = await findReseller(transaction, reseller)
  if (found !== undefined) return found
  if (!createReseller)
    throw new Failure(`There is no reseller ${reseller}; add --create-reseller to create it`, 1)
  const like = await resellerLike(transaction, reseller)
  if (like !== undefined) throw new Failure(`The reseller looks like ${like}, which is taken`, 1)
  return makeReseller(transaction, actor, reseller)
}
