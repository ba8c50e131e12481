import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiKeyVault } from '../identity/api-key.js'
import { createIdentity } from '../identity/identity.js'
import type { Database } from '../storage/database/database.js'
import { migrate, readMigrations } from '../storage/database/migrate.js'
import { type DatabaseSource, onEachDriver } from '../testing/databases.js'
import { createUser, parseUserRequest } from './create-user.js'

const secret = 'a secret of at least 32 characters'
const vault = createApiKeyVault(secret)

describe('user:create', () => {
  it('reads its options', () => {
    expect(parseUserRequest(['--login', 'ann'])).toEqual({
      login: 'ann',
      role: 'user',
      reseller: undefined,
      createReseller: false,
      timezone: undefined,
      passwordFromInput: false,
    })
    expect(
      parseUserRequest(
        '--login=ann --role=admin --reseller=R --create-reseller --timezone=Europe/Paris --password-stdin'.split(
          ' ',
        ),
      ),
    ).toEqual({
      login: 'ann',
      role: 'admin',
      reseller: 'R',
      createReseller: true,
      timezone: 'Europe/Paris',
      passwordFromInput: true,
    })
  })

  it.each([
    [[], /^usage: /],
    [['--login'], /--login.*usage: /],
    [['--nonsense'], /--nonsense.*usage: /],
    [['extra'], /usage: /],
    [['--login', ''], /^--login must have 1 to 255 characters/],
    [['--login', 'a\nb'], /^--login must have/],
    [['--login', 'ann '], /^--login must have .*no spaces around them$/],
    [['--login', 'x'.repeat(256)], /^--login must have/],
    [['--login', 'a\u200b'], /^--login must have .*no control or invisible characters/],
    [['--login', 'a', '--timezone', 'Mars'], /^--timezone must be/],
    [['--login', 'a', '--create-reseller'], /^--create-reseller needs --reseller/],
  ])('refuses %j in one line', (args, line) => {
    expect(() => parseUserRequest(args)).toThrow(
      expect.objectContaining({ exitCode: 2, lines: [expect.stringMatching(line)] }),
    )
  })
})

onEachDriver('user:create on', (start) => {
  let source: DatabaseSource
  let database: Database
  beforeAll(async () => {
    source = await start()
    database = (await source.empty()).database
    await migrate(database, await readMigrations())
  })
  afterAll(() => source?.stop())

  const create = (args: string, password?: string) =>
    createUser(database, vault, parseUserRequest(args.split(' ')), password)

  it('creates a user with a working key and password', async () => {
    const account = await create('--login ann --reseller Acme --create-reseller --timezone Asia/Tokyo')
    const identity = createIdentity({ database, secret })
    expect(await identity.authenticate({ apiKey: account.apiKey })).toMatchObject({
      login: 'ann',
      resellerId: 1,
      timezone: 'Asia/Tokyo',
    })
    expect(await identity.login('ann', account.password)).toHaveProperty('token')
  })

  it('adds another user to the same reseller', async () => {
    await create('--login ben --reseller Acme --create-reseller', 'a long password')
    const rows = await database.query('select count(*) as resellers from resellers')
    expect(rows).toEqual([{ resellers: '1' }])
  })

  it.each([
    ['--login ann', undefined, 'The login ann is taken', 1],
    [
      '--login cid --reseller Nobody',
      undefined,
      'There is no reseller Nobody; add --create-reseller to create it',
      1,
    ],
    ['--login cid', 'short', 'The password must have 8 to 1024 characters', 2],
    ['--login cid', 'a secret\0', 'The password must have 8 to 1024 characters, none of them NUL', 2],
  ])('refuses %s', async (args, password, line, exitCode) => {
    await expect(create(args, password)).rejects.toMatchObject({ lines: [line], exitCode })
  })

  it('adds no reseller when the login is taken', async () => {
    await expect(create('--login ann --reseller New --create-reseller')).rejects.toThrow('taken')
    expect(await database.query("select 1 from resellers where name = 'New'")).toEqual([])
  })

  it('records the new user and the new Reseller in the audit trail', async () => {
    await create('--login dan --reseller Danes --create-reseller')
    const [{ id } = { id: '' }] = await database.query<{ id: string }>(
      "select id from users where login = 'dan'",
    )
    const entries = await database.query(
      `select entity, user_id, operation, protocol, after->>'login' as login, after->>'name' as name
        from audit where (entity = 'user' and entity_id = $1) or after->>'name' = 'Danes' order by id`,
      [id],
    )
    const by = { user_id: '0', operation: 'user:create', protocol: 'command' }
    expect(entries).toEqual([
      { entity: 'reseller', ...by, login: null, name: 'Danes' },
      { entity: 'user', ...by, login: 'dan', name: null },
    ])
  })
})
