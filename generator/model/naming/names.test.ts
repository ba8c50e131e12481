import { describe, expect, it } from 'vitest'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { nameOperations } from './names.js'
import type { EarlierName, Strategy } from './naming.js'
import type { NameSource } from './source.js'

const at = () => ({ file: 'openapi.yaml', line: 1, column: 1 })

type Said = Partial<Omit<NameSource, 'answers'>> & { readonly answers?: 'list' | 'other' }

/** `GET /users/{id}` with the operation's other fields. */
function operation(title: string, { answers, ...said }: Said = {}): NameSource {
  const [method = '', path = ''] = title.split(' ')
  return {
    ...{ method: undefined, operationId: undefined, verb: method.toLowerCase(), path, at },
    ...said,
    answers: () => answers ?? 'unknown',
  }
}

function namesOf(
  sources: readonly NameSource[],
  earlier: readonly EarlierName[] = [],
  strategy?: Strategy,
): string[] {
  return nameOperations(sources, [], { earlier, ...(strategy && { strategy }) })
}

function nameOf(title: string, said?: Said): string {
  return namesOf([operation(title, said)])[0] ?? ''
}

describe('a name by the operationId', () => {
  it.each([
    ['POST /orders/{id}/cancel', 'cancelOrder', 'orders.cancel'],
    ['POST /shop/orders/{id}/cancel', 'cancelOrder', 'orders.cancel'],
    ['POST /cancellation', 'cancelOrder', 'orders.cancel'],
    ['GET /orders/{id}', 'get_order', 'orders.get'],
    ['GET /orders/{id}', 'get-order-by-id', 'orders.get'],
    ['GET /orders', 'listOrders', 'orders.list'],
    ['GET /orders/{id}/lines', 'listOrderLines', 'orders.lines.list'],
    ['GET /orders', 'findOrdersByStatus', 'orders.find_by_status'],
    ['GET /orders/events', 'streamOrderEvents', 'orders.events.stream'],
    ['PUT /orders/{id}', 'putOrder', 'orders.update'],
    ['POST /orders/archive', 'archiveOldOrders', 'orders.archive_old'],
    ['POST /shop/orders/{id}/addItem', 'addItemForOrder', 'orders.add_item'],
  ])('under the tag orders: %s %s is %s', (title, operationId, name) => {
    expect(nameOf(title, { operationId, tag: 'Orders' })).toBe(name)
  })

  it.each([
    ['POST /accounts/balance/get', 'accountsBalanceGet', 'accounts.balance.get'],
    ['GET /accounts/{id}/balance', 'accountsBalanceGet', 'accounts.balance.get'],
    ['POST /asset_report/get', 'assetReportGet', 'asset_report.get'],
    ['POST /bank_accounts/{id}/verify', 'bank_account_verify', 'bank_accounts.verify'],
    ['POST /uploads', 'upload_create', 'uploads.create'],
    ['POST /goals/{id}/addFollowers', 'addFollowers', 'goals.add_followers'],
    ['POST /teams/{id}/search_queries', 'listSearchQueries', 'teams.search_queries.list'],
    ['GET /banks/{id}/exchange_rates', 'bankExchangeRates', 'banks.exchange_rates.list'],
    ['PUT /databases/{id}/install_update', 'databases_install_update', 'databases.install_update'],
    ['POST /apps/{id}/rollback/commit', 'apps_commit_rollback', 'apps.commit_rollback'],
    ['POST /api/chat.postMessage', 'chat_postMessage', 'chat.post_message'],
    ['GET /users.info', 'users_info', 'users.info'],
    ['GET /robots.txt', 'get_robots_txt', 'robots_txt.get'],
    ['GET /keys', 'sshKeys_list', 'ssh_keys.list'],
    ['GET /users', 'UsersController_findAll', 'users.find_all'],
    ['GET /users/{id}', 'UserService_GetUser', 'users.get'],
    ['PATCH /spaces/keys/{id}', 'spacesKey_patch', 'spaces.keys.patch'],
    ['POST /images/{id}/actions', 'imageActions_post', 'images.actions.create'],
    ['POST /exports', 'data_export_create', 'data_export.create'],
    ['POST /usage', 'genai_import_model', 'genai.import_model'],
    ['POST /threads/runs', 'createThreadAndRun', 'threads.create_and_run'],
    ['GET /containers', 'databases_list_clusters', 'databases.list_clusters'],
  ])('noun first or with a namespace: %s %s is %s', (title, operationId, name) => {
    expect(nameOf(title, { operationId })).toBe(name)
  })

  it.each([
    ['GET /x', 'orders.cancelAll', 'orders.cancelAll'],
    ['GET /x', 'apps/get-authenticated', 'apps.get_authenticated'],
    ['GET /search/labels', 'search/labels', 'search.labels'],
    ['GET /x', 'rpc/list', 'rpc_.list'],
  ])('keeps dots and slashes as namespaces: %s %s is %s', (title, operationId, name) => {
    expect(nameOf(title, { operationId })).toBe(name)
  })

  it.each([
    ['GET /v1/things/{id}', 'get_v1_things_id', 'things.get'],
    ['POST /v1/accounts/{account}/reject', 'PostAccountsAccountReject', 'accounts.reject'],
    ['GET /items/{item_id}', 'read_item_items__item_id__get', 'items.read'],
    ['GET /health', 'getHealth', 'health.get'],
    ['GET /healthz', 'getHealth', 'health.get'],
    ['GET /healthz', 'getHealthz', 'healthz.get'],
    ['GET /quiz', 'getQuiz', 'quiz.get'],
    ['GET /files/{file_id}/copy', 'get_files_id_copy', 'files.copy.get'],
  ])('says more than method and path, or is not heard: %s %s is %s', (title, operationId, name) => {
    expect(nameOf(title, { operationId })).toBe(name)
  })

  it.each([
    ['GET /warehouses/{id}', 'getWarehouse', 'warehouses.get'],
    ['GET /statuses/{id}', 'getStatus', 'statuses.get'],
    ['GET /caches/{id}', 'getCache', 'caches.get'],
    ['GET /sizes/{id}', 'getSize', 'sizes.get'],
    ['GET /people/{id}', 'getPerson', 'people.get'],
    ['GET /aliases/{id}', 'getAlias', 'aliases.get'],
    ['GET /categories/{id}', 'getCategory', 'categories.get'],
    ['GET /user-ids/{id}', 'getUserID', 'user_ids.get'],
  ])('finds the singular in the path: %s %s is %s', (title, operationId, name) => {
    expect(nameOf(title, { operationId })).toBe(name)
  })

  it.each([
    ['GET /books', 'browseBooks', 'Books', 'books.browse'],
    ['GET /queue', 'peekQueue', undefined, 'queue.peek'],
    ['POST /claims', 'lodgeClaim', 'Claims', 'claims.lodge'],
    ['POST /forms', 'lodgeClaim', 'Claims', 'claims.lodge'],
    ['POST /claims/{id}/assess', 'assessClaim', 'Claims', 'claims.assess'],
    ['GET /books/random', 'randomBook', undefined, 'books.random.get'],
    ['POST /orders/search', 'advancedSearch', undefined, 'orders.advanced_search'],
    ['GET /books/isbn/{isbn}', 'bookByIsbn', 'Books', 'books.by_isbn'],
    ['POST /loans', 'checkoutBook', 'Loans', 'loans.checkout_book'],
    ['POST /invoices/{id}/email', 'emailInvoice', 'Billing', 'invoices.email'],
    ['POST /tickets/{id}/comments', 'commentOnTicket', undefined, 'tickets.comment'],
    ['PUT /guilds/{guild_id}/bans/{user_id}', 'ban_user_from_guild', undefined, 'guilds.ban_user'],
    ['PATCH /guilds/{id}/roles', 'bulk_update_guild_roles', undefined, 'guilds.roles.bulk_update'],
    ['HEAD /files/{id}', 'fileExists', undefined, 'files.exists'],
    ['GET /users/me', 'me', undefined, 'users.me.get'],
    ['GET /stats/daily', 'dailyStats', undefined, 'stats.daily.get'],
    ['GET /profile', 'userProfile', 'Users', 'users.profile.get'],
    ['GET /photo/details', 'photoDetails', undefined, 'photo.details.get'],
    ['GET /teams/{id}/typeahead', 'typeaheadForTeam', 'Typeahead', 'typeahead.get'],
    ['POST /sign_in_tokens/{id}/revoke', 'RevokeSignInToken', undefined, 'sign_in_tokens.revoke'],
    ['POST /teams', 'foundTeam', 'Clubs\\Teams', 'teams.found'],
  ])(
    'takes no namespace from a verb that is not listed: %s %s (%s) is %s',
    (title, operationId, tag, name) => {
      expect(nameOf(title, { operationId, tag })).toBe(name)
    },
  )

  it.each([
    ['GET /orders', 'OrderController.findAll', 'orders.find_all'],
    ['GET /orders', 'shop.OrderController.findAll', 'shop.orders.find_all'],
    ['GET /metrics/restarts', 'monitoring_get_restarts.yml', 'metrics.restarts.list'],
    ['GET /albums/{id}', 'get_album_alt1', 'albums.get'],
    ['GET /orders', 'findOrders_2', 'orders.find'],
    ['GET /layers/2', 'get_layer_2', 'layers.n2.get'],
  ])('ignores what a framework adds to an id: %s %s is %s', (title, operationId, name) => {
    expect(nameOf(title, { operationId })).toBe(name)
  })

  it('tells a list from one object', () => {
    expect(nameOf('GET /pets', { operationId: 'getAllPets', answers: 'list' })).toBe('pets.list_all')
    expect(nameOf('GET /pets/{id}', { operationId: 'getPet', answers: 'other' })).toBe('pets.get')
  })

  it('is the path under the strategy path', () => {
    const source = operation('POST /orders/{id}/cancel', { operationId: 'stopOrder' })
    expect(namesOf([source], [], 'path')).toEqual(['orders.cancel'])
  })
})

describe('a name by path and method', () => {
  it.each([
    ['GET /users/{id}', 'users.get'],
    ['GET /users/{id}/address', 'users.address.get'],
    ['GET /me', 'me.get'],
    ['GET /', 'root.get'],
    ['GET /{org}', 'org.get'],
    ['GET /users/{id}/settings', 'users.settings.get'],
    ['PUT /settings', 'settings.update'],
    ['PUT /users/{id}', 'users.update'],
    ['PATCH /users/{id}', 'users.update'],
    ['POST /users/{id}', 'users.update'],
    ['POST /services/{sid}/assets', 'services.assets.create'],
    ['POST /services/{sid}/assets/{id}', 'services.assets.update'],
    ['POST /access_requests/{id}/approve', 'access_requests.approve'],
    ['POST /charges/{id}/refund', 'charges.refund'],
    ['POST /charges/{id}/refunds', 'charges.refunds.create'],
    ['POST /accounts/{id}/login_links', 'accounts.login_links.create'],
    ['GET /charges/search', 'charges.search'],
    ['GET /orders/{id}/cancel', 'orders.get_cancel'],
    ['DELETE /orders/{id}/archive', 'orders.delete_archive'],
    ['DELETE /users', 'users.delete_many'],
    ['POST /asset_report/get', 'asset_report.get'],
    ['POST /jobs/{id}:cancel', 'jobs.cancel'],
    ['GET /api/v2/2fa', 'two_fa.get'],
    ['POST /v1/3d_secure', 'three_d_secure.create'],
    ['GET /404s', 'n404s.list'],
    ['GET /2010-04-01/Accounts/{id}.json', 'accounts.get'],
    ['POST /then', 'then_.create'],
  ])('%s is %s', (title, name) => {
    expect(nameOf(title)).toBe(name)
  })

  it('is a list only where the result is one', () => {
    expect(nameOf('GET /users', { answers: 'list' })).toBe('users.list')
    expect(nameOf('GET /users/{id}/history', { answers: 'list' })).toBe('users.history.list')
    expect(nameOf('GET /settings', { answers: 'other' })).toBe('settings.get')
  })

  it('updates one object if a PATCH of a plural answers what it is sent', () => {
    const logos = operation('PATCH /logos', { answersSent: () => true })
    expect(namesOf([logos])).toEqual(['logos.update'])
    expect(namesOf([logos, operation('PATCH /logos/{id}')])).toEqual(['logos.update_many', 'logos.update'])
    const named = { method: 'PATCH', path: '/logos' }
    expect(namesOf([logos], [{ ...named, name: 'logos.update_many' }])).toEqual(['logos.update_many'])
    expect(
      namesOf([operation('PATCH /logos')], [{ ...named, name: 'logos.update', operationId: 'x' }]),
    ).toEqual(['logos.update'])
  })

  it('ignores an id without an ASCII letter', () => {
    expect(nameOf('POST /orders', { operationId: '注文を作成' })).toBe('orders.create')
  })

  it('asks the summary whether a POST only reads', () => {
    expect(nameOf('POST /paymentMethods', { summaryVerb: 'get' })).toBe('payment_methods.list')
    const session = { summaryVerb: 'get', answers: 'other' } as const
    expect(nameOf('POST /apple_pay/sessions', session)).toBe('apple_pay.sessions.get')
    expect(nameOf('POST /orders/{id}/balance', { summaryVerb: 'retrieves' })).toBe('orders.balance.get')
    expect(nameOf('POST /orders', { summaryVerb: 'search' })).toBe('orders.search')
  })

  it('asks the summary whether a POST to a singleton updates it', () => {
    expect(nameOf('POST /account', { summaryVerb: 'updates' })).toBe('account.update')
    expect(nameOf('POST /account', { summaryVerb: 'opens' })).toBe('account.create')
  })
})

describe('operations that want one name', () => {
  it('differ by what their methods and paths say', () => {
    const titles = [
      'PUT /a/{id}',
      'PATCH /a/{id}',
      'GET /b/{id}',
      'GET /b/{id}/{part}',
      'GET /v1/c',
      'GET /v2/c',
    ]
    expect(namesOf(titles.map((title) => operation(title)))).toEqual([
      ...['a.replace', 'a.update', 'b.get', 'b.get_by_part', 'c.get', 'v2.c.get'],
    ])
  })

  it('differ by their methods if their ids do not', () => {
    const sources = [
      operation('PUT /orders/{id}', { operationId: 'putOrder' }),
      operation('PATCH /orders/{id}', { operationId: 'patchOrder' }),
    ]
    expect(namesOf(sources)).toEqual(['orders.replace', 'orders.update'])
  })

  it('leave the plain name to the action on one thing', () => {
    const sources = [
      operation('DELETE /rooms/{id}/members', { operationId: 'remove_room_members' }),
      operation('DELETE /rooms/{id}/members/{user_id}', { operationId: 'remove_room_member' }),
      operation('PUT /payments', { operationId: 'createPayments' }),
      operation('POST /payments', { operationId: 'createPayment' }),
    ]
    expect(namesOf(sources)).toEqual([
      ...['rooms.members.remove_many', 'rooms.members.remove', 'payments.create_many', 'payments.create'],
    ])
  })

  it('differ by the parameters that only one has, not by the method that both have', () => {
    const sources = [
      operation('GET /teams/{team_id}/leave', { operationId: 'getTeamLeave' }),
      operation('GET /teams/{team_id}/leave/{leave_id}', { operationId: 'getTeamLeave_1' }),
      operation('POST /teams/{team_id}/leave', { operationId: 'getTeamLeave_2' }),
      operation('POST /teams/{team_id}/leave/{leave_id}', { operationId: 'getTeamLeave_3' }),
    ]
    expect(namesOf(sources)).toEqual([
      ...['teams.leave.get', 'teams.leave.get_by_leave_id'],
      ...['teams.leave.get_post', 'teams.leave.get_by_leave_id_post'],
    ])
  })

  it('differ by their versions', () => {
    const sources = [
      operation('GET /teams/{id}/shifts', { operationId: 'listTeamShifts' }),
      operation('GET /v3/teams/{id}/shifts', { operationId: 'listShifts' }),
    ]
    expect(namesOf(sources)).toEqual(['teams.shifts.list', 'v3.teams.shifts.list'])
  })

  it('have names even where no name with a dot is free', () => {
    const sources = [
      operation('GET /a', { method: 'items' }),
      operation('GET /b', { method: 'items_list' }),
      operation('GET /items'),
    ]
    for (const strategy of ['operationId', 'path', 'classic'] as const)
      expect(namesOf(sources, [], strategy)).toEqual(['items', 'items_list', 'items_list_2'])
  })

  it('keep their names when an item or an action is added', () => {
    const titles = ['POST /services/{sid}/assets', 'GET /services/{sid}/assets']
    const more = [...titles, 'POST /services/{sid}/assets/{id}', 'POST /services/{sid}/assets/{id}/copy']
    expect(namesOf(titles.map((title) => operation(title)))).toEqual([
      'services.assets.create',
      'services.assets.list',
    ])
    expect(namesOf(more.map((title) => operation(title)))).toEqual([
      ...['services.assets.create', 'services.assets.list', 'services.assets.update', 'services.assets.copy'],
    ])
  })

  it('leave alone who had the name before', () => {
    const sources = ['PUT /a/{key}', 'PATCH /a/{id}'].map((title) => operation(title))
    const earlier = [{ name: 'a.update', method: 'PUT', path: '/a/{id}' }]
    expect(namesOf(sources, earlier)).toEqual(['a.update', 'a.patch'])
  })

  it.each([
    ['GET /orders', 'listOrders', 'orders.list', 'findOrders', 'orders.list'],
    ['POST /orders/{id}/cancel', 'cancelOrder', 'orders.cancel', 'stopOrder', 'orders.cancel'],
    ['GET /orders/{id}', undefined, 'orders.get', 'readOrder', 'orders.get'],
    ['GET /orders/{id}', 'orders.read', 'orders.read', 'orders.fetch', 'orders.fetch'],
    ['GET /me', 'getCurrentUser', 'me.get_current_user', undefined, 'me.get'],
  ])(
    'keep a name that method and path alone may make, if their id changes: %s, %s',
    (title, earlierId, before, operationId, after) => {
      const [method = '', path = ''] = title.split(' ')
      const earlier = { name: before, method, path, ...(earlierId && { operationId: earlierId }) }
      expect(nameOf(title, { operationId: earlierId })).toBe(before)
      expect(namesOf([operation(title, { operationId })], [earlier])).toEqual([after])
    },
  )

  it('keep names that were made for them by other rules', () => {
    const made = { name: 'healthz.get_health', method: 'GET', path: '/healthz', operationId: 'getHealth' }
    const source = operation('GET /healthz', { operationId: 'getHealth' })
    expect(namesOf([source], [made])).toEqual(['healthz.get_health'])
    expect(namesOf([source], [{ ...made, operationId: 'readHealth' }])).toEqual(['health.get'])
    expect(namesOf([source], [{ ...made, name: 'no name' }])).toEqual(['health.get'])
    const untold = operation('POST /3d_secure')
    expect(namesOf([untold], [{ name: 'n3d_secure.create', method: 'POST', path: '/3d_secure' }])).toEqual([
      'n3d_secure.create',
    ])
  })

  it('give no operation a name that it has no claim to', () => {
    const earlier = [{ name: 'b.update', method: 'PUT', path: '/a/{id}', stated: true }]
    expect(namesOf([operation('PUT /a/{id}')], earlier)).toEqual(['a.update'])
    const moved = { name: 'b.update', method: 'PUT', path: '/b/{id}', operationId: 'getOrder' }
    const source = operation('GET /orders/{id}', { operationId: 'getOrder' })
    expect(namesOf([source], [moved])).toEqual(['orders.get'])
    const reservedName = { ...moved, name: 'rpc.get', method: 'GET', path: '/orders/{id}' }
    expect(namesOf([source], [reservedName])).toEqual(['orders.get'])
  })

  it('leave a list its name when what it answers is described otherwise', () => {
    const earlier = [{ name: 'a.list', method: 'GET', path: '/a' }]
    expect(namesOf([operation('GET /a', { answers: 'other' })], earlier)).toEqual(['a.list'])
  })

  it('give way to names that the document states', () => {
    const sources = [operation('GET /a/{id}'), operation('GET /b', { method: 'a.get' })]
    const earlier = [{ name: 'a.get', method: 'GET', path: '/a/{id}' }]
    expect(namesOf(sources, earlier)).toEqual(['a.get_by_id', 'a.get'])
  })
})

describe('a report of a name', () => {
  it('says which operation has the name that another wanted', () => {
    const diagnostics: Diagnostic[] = []
    nameOperations([operation('GET /b/{id}'), operation('GET /b/{id}/{part}')], diagnostics)
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'GET /b/{id}/{part} is named b.get_by_part, since b.get clashes with the name of GET /b/{id}',
    ])
  })
})
