import { describe, expect, it } from 'vitest'
import { nameOf, namesOf, operation } from '../../../test/fixtures/name-sources.js'

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
