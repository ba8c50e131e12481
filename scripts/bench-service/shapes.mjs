// Every query that callers can cause: each filter with each order, for each kind of caller.

/**
 * @typedef {import('../../service/dist/storage/storage.js').Storage} Storage
 * @typedef {import('../../service/dist/storage/tables/identity/users.js').UserStore} UserStore
 * @typedef {{ title: string, run: (storage: Storage, users: UserStore) => Promise<unknown> }} Shape
 */

const page = { limit: 20, offset: 0 }

/** Callers by their scope. @type {[string, { resellerId: number | null }][]} */
const callers = [
  ['all', { resellerId: null }],
  ['a large Reseller', { resellerId: 3 }],
  ['a small Reseller', { resellerId: 500 }],
]

/** @type {[string, object][]} */
const clientFilters = [
  ['', {}],
  ['id', { id: 500_000 }],
  ['a name', { name: 'Client 1679091c5a880faf6fb5e6087eb1b2dc' }],
  ['a common name', { name: 'Shared name' }],
  ['a name of none', { name: 'nobody' }],
  ['a common currency', { currency: 'EUR' }],
  ["a hundredth's currency", { currency: 'GBP' }],
  ['a rare currency', { currency: 'JPY' }],
  ['a common name and currency', { name: 'Shared name', currency: 'EUR' }],
  ['a common name and a rare currency', { name: 'Shared name', currency: 'JPY' }],
]

/** @type {[string, object][]} */
const gatewayFilters = [
  ['', {}],
  ['id', { id: 50_000 }],
  ['a name', { name: 'ported-in-1' }],
  ['editable', { editable: true }],
  ['common credentials', { credentials_id: 1 }],
  ['rare credentials', { credentials_id: 1000 }],
  ['common credentials, editable', { credentials_id: 1, editable: true }],
  ['rare credentials, editable', { credentials_id: 1000, editable: true }],
]

/** Orders of one or two columns, ascending and descending. @param {string[]} columns @returns {string[][]} */
function ordersOf(columns) {
  const terms = columns.flatMap((column) => [column, `-${column}`])
  const pairs = terms.flatMap((first) =>
    first.endsWith('id') && !first.endsWith('_id')
      ? []
      : terms
          .filter((second) => second.replace('-', '') !== first.replace('-', ''))
          .map((second) => [first, second]),
  )
  return [[], ...terms.map((term) => [term]), ...pairs]
}

/** @param {(string | undefined)[]} parts */
const titleOf = (...parts) => parts.filter((part) => part !== '').join('; ')

/** @type {Shape[]} */
export const shapes = [
  { title: 'a user by API key', run: (_, users) => users.withApiKey(new Uint8Array(32)) },
  { title: 'clients.get', run: (storage) => storage.as({ resellerId: 3 }).clients.get(500_000) },
  { title: 'lnp.gateways.get', run: (storage) => storage.as({ resellerId: null }).gateways.get(50_000) },
  {
    title: 'accounting.currencies.get_rate',
    run: (storage) => storage.as({ resellerId: null }).currencies.rate('EUR', 'USD'),
  },
  ...callers.flatMap(([caller, scope]) =>
    clientFilters.flatMap(([filter, search]) =>
      ordersOf(['id', 'name']).map((order) => ({
        title: titleOf(`clients.search by ${caller}`, filter, order.join(',')),
        run: (/** @type {Storage} */ storage) =>
          storage.as(scope).clients.search({ ...page, order, ...search }),
      })),
    ),
  ),
  ...gatewayFilters.flatMap(([filter, search]) =>
    ordersOf(['id', 'name', 'title', 'credentials_id', 'editable']).map((order) => ({
      title: titleOf('lnp.gateways.search', filter, order.join(',')),
      run: (/** @type {Storage} */ storage) =>
        storage.as({ resellerId: null }).gateways.search({ ...page, order, ...search }),
    })),
  ),
  ...callers.map(([caller, scope]) => ({
    title: `audit trail by ${caller}`,
    run: (/** @type {Storage} */ storage) => storage.as(scope).audit.search({ limit: 20 }),
  })),
]
