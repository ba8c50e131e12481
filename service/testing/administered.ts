import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Database } from '../storage/database/database.js'
import { type Page, type ServedAdministration, serveAdministration, Visitor } from './administration.js'
import type { DatabaseSource } from './databases.js'

/** The administration area over the sample data, and its visitors, for all tests of a block. */
export interface Administered {
  readonly database: Database
  readonly served: ServedAdministration
  /** Signed in as the sample's administrator, whose role is restored before each test. */
  readonly admin: Visitor
  /** Signs in a user of the sample. */
  visitor(login: string): Promise<Visitor>
  idOf(login: string): Promise<number>
  /** Creates a user through the form, with a unique login. */
  makeUser(password?: string, more?: Readonly<Record<string, string>>): Promise<MadeUser>
  /** The audit trail's entries of a user, oldest first. */
  entriesOf(id: number): Promise<{ operation: string; before: object | null; after: object | null }[]>
}

interface MadeUser {
  readonly login: string
  readonly password: string
  /** Path of the user's page. */
  readonly path: string
  readonly id: number
}

/** Serves the area during all tests of the block. */
export function administered(start: () => Promise<DatabaseSource>): Administered {
  let source: DatabaseSource
  let database: Database
  let served: ServedAdministration
  let admin: Visitor
  let made = 0

  beforeAll(async () => {
    source = await start()
    database = (await source.empty()).database
    served = await serveAdministration(database)
    admin = await visitor('admin')
  })
  afterAll(async () => {
    await served?.close()
    await source?.stop()
  })
  beforeEach(async () => {
    await database.query("update users set active = true, role = 'admin' where login = 'admin'")
  })

  const visitor = async (login: string) => {
    const guest = new Visitor(served.url)
    await guest.signIn(login, served.users.get(login)?.password ?? '')
    return guest
  }
  return {
    get database() {
      return database
    },
    get served() {
      return served
    },
    get admin() {
      return admin
    },
    visitor,
    async idOf(login) {
      const [row] = await database.query<{ id: string }>('select id from users where login = $1', [login])
      return Number(row?.id)
    },
    async makeUser(password = '', more = {}) {
      const login = `user-${++made}`
      const page = await admin.get('/admin/users/new')
      const fields = { login, password, repeated: password, reseller: '1', ...more }
      const { location } = await admin.send(page, '/admin/users/new', fields)
      const path = /^\/admin\/users\/\d+/.exec(location ?? '')?.[0] ?? ''
      return { login, password, path, id: Number(path.split('/').at(-1)) }
    },
    entriesOf: (id) =>
      database.query(
        `select operation, before, after from audit where entity = 'user' and entity_id = $1 order by id`,
        [String(id)],
      ),
  }
}

/** The API key that a page shows. */
export function keyIn({ html }: Page): string {
  return /value="(bk_[\w-]+)"/.exec(html)?.[1] ?? ''
}

/** Paths of the user's keys, oldest first. */
export function keyPathsIn({ html }: Page): readonly string[] {
  return [...html.matchAll(/href="(\/admin\/users\/\d+\/keys\/\d+)"/g)].map(([, path]) => path ?? '')
}
