import { describe, expect, it } from 'vitest'
import { nameOf, namesOf, operation } from '../../../test/fixtures/name-sources.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { nameOperations } from './names.js'

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
    ['GET /jobs/watch', 'watchJobs', undefined, 'jobs.watch'],
    ['GET /jobs/{id}/watch', 'watchJobEvents', 'Jobs', 'jobs.watch_events'],
    ['GET /jobs/{id}/logs/tail', 'tailJobLogs', undefined, 'jobs.logs.tail'],
    ['GET /users/{id}/follow', 'followUser', undefined, 'users.follow'],
    ['GET /repos/{id}:checkout', 'checkoutRepo', undefined, 'repos.checkout'],
    ['GET /events/listen', 'listenToEvents', undefined, 'events.listen'],
    ['POST /cart/checkout', 'checkout', undefined, 'cart.checkout'],
    ['GET /orders/report', 'report', undefined, 'orders.report.get'],
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

  it.each([
    ['Django REST', 'GET /api/v1/users/', 'api_v1_users_list', 'users.list'],
    ['Django REST', 'GET /api/v1/users/{id}/', 'api_v1_users_retrieve', 'users.retrieve'],
    [
      'Django REST',
      'POST /api/v1/users/{id}/set_password/',
      'api_v1_users_set_password_create',
      'users.set_password',
    ],
    ['Django REST', 'PATCH /api/v1/users/{id}/', 'api_v1_users_partial_update', 'users.partial_update'],
    ['Django REST', 'PATCH /books/{id}/', 'books_partial_update', 'books.partial_update'],
    ['Django REST', 'GET /api/api_keys/', 'api_keys_list', 'api_keys.list'],
    ['API Platform', 'GET /api/foos', 'api_foos_get_collection', 'foos.list'],
    ['API Platform', 'POST /api/foos', 'api_foos_post', 'foos.create'],
    ['API Platform', 'GET /api/foos/{id}', 'api_foos_id_get', 'foos.get'],
    ['API Platform', 'GET /foos', 'getFooCollection', 'foos.list'],
    ['NestJS', 'GET /frogs', 'FrogController_findAll', 'frogs.find_all'],
    ['NestJS', 'GET /frogs', 'frogControllerFindAll', 'frogs.find_all'],
    ['NestJS', 'GET /ponds', 'frogControllerFindAll', 'frog.find_all'],
    ['NestJS', 'GET /api/v1/frogs', 'listV1Frogs', 'frogs.list_v1'],
    ['NestJS', 'GET /v1/frogs', 'listV1Frogs', 'frogs.list'],
    ['of a game', 'GET /game-controllers', 'gameControllerState', 'game_controllers.state'],
    ['of a library', 'GET /books/collection', 'getBooksCollection', 'books.collection.get'],
    ['AWS', 'POST /', 'PutItem', 'put_item'],
    ['AWS', 'PUT /items/{id}', 'PutItem', 'items.update'],
  ])('reads the ids of frameworks: %s, %s %s is %s', (_, title, operationId, name) => {
    expect(nameOf(title, { operationId })).toBe(name)
  })

  it('reads the id, and not the parameter, where both name the action, and keeps earlier names', () => {
    const ask = (verb: string, action: string, operationId: string) =>
      operation(`${verb} /`, { operationId, path: `//Action ${action}`, route: '/' })
    const asked = [ask('GET', 'CreateUser', 'GET_CreateUser'), ask('POST', 'CreateUser', 'POST_CreateUser')]
    expect(namesOf(asked)).toEqual(['create_user', 'create_user_post'])
    const name = 'action_create_user.get_create'
    const earlier = { method: 'GET', path: '/', operationId: 'GET_CreateUser', name }
    expect(namesOf(asked, [earlier])).toEqual([name, 'create_user'])
    const target = '//X-Amz-Target=DynamoDB_20120810.GetItem'
    expect(nameOf('POST /', { operationId: 'GetItem', path: target, route: '/' })).toBe('get_item')
  })

  it.each([
    ['GET /übung', 'übungHolen', 'ubung.holen'],
    ['GET /übung', 'u\u0308bungHolen', 'ubung.holen'],
    ['POST /straßen', 'createStraßen', 'strassen.create'],
    ['GET /smørrebrød', undefined, 'smorrebrod.get'],
    ['GET /pets', 'list the pet’s “toys”', 'pets.list_the_toys'],
    ['GET /orders', 'getЗаказы', 'orders.list'],
  ])(
    'writes Latin letters without marks, and no code of a letter: %s %s is %s',
    (title, operationId, name) => {
      expect(nameOf(title, { operationId })).toBe(name)
    },
  )

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

  it('updates one object if a PUT of a plural answers what it is sent', () => {
    const logos = operation('PUT /logos', { answersSent: () => true })
    expect(namesOf([logos])).toEqual(['logos.update'])
    expect(namesOf([logos, operation('PUT /logos/{id}')])).toEqual(['logos.replace', 'logos.update'])
    expect(nameOf('PUT /logos', { answersSent: () => true, summaryVerb: 'replace' })).toBe('logos.replace')
    expect(nameOf('PUT /logos')).toBe('logos.replace')
    const earlier = { method: 'PUT', path: '/logos', name: 'logos.replace' }
    expect(namesOf([logos], [earlier])).toEqual(['logos.replace'])
  })

  it.each([
    ['POST /orders/{id}/returns', 'returns', 'orders.returns.create'],
    ['POST /returns', 'return', 'returns.create'],
    ['POST /returns', 'lists', 'returns.list'],
    ['POST /reports', 'returns', 'reports.list'],
    ['POST /report', 'returns', 'report.get'],
  ])('%s with the summary "%s ..." is %s', (title, summaryVerb, name) => {
    expect(nameOf(title, { summaryVerb })).toBe(name)
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

  it('deletes one object if a plural is one', () => {
    const options = operation('DELETE /options', { isSingleton: () => true })
    expect(namesOf([options])).toEqual(['options.delete'])
    expect(namesOf([options, operation('DELETE /options/{id}')])).toEqual([
      'options.delete_many',
      'options.delete',
    ])
    const earlier = { method: 'DELETE', path: '/options', name: 'options.delete_many' }
    expect(namesOf([options], [earlier])).toEqual(['options.delete_many'])
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

describe('a report of a name', () => {
  it('says which operation has the name that another wanted', () => {
    const diagnostics: Diagnostic[] = []
    nameOperations([operation('GET /b/{id}'), operation('GET /b/{id}/{part}')], diagnostics)
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'GET /b/{id}/{part} is named b.get_by_part, since b.get clashes with the name of GET /b/{id}',
    ])
  })

  it('says that an operation had its name before', () => {
    const diagnostics: Diagnostic[] = []
    const earlier = [{ method: 'GET', path: '/orders', name: 'orders.list', operationId: 'listOrders' }]
    nameOperations([operation('GET /orders', { operationId: 'findOrders' })], diagnostics, { earlier })
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'GET /orders is named orders.list, since it had this name before; it would now be orders.find',
    ])
  })
})
