import { expect, it } from 'vitest'
import { pathOrder } from './path-order.js'

it('has params of the path in its order, by the names that callers use, and others behind them as they were', () => {
  const order = pathOrder({
    path: '/repos/{owner}/{repo-name}/issues/{number}',
    parameters: [
      { name: 'number', param: 'number', in: 'path' },
      { name: 'owner', param: 'owner', in: 'path' },
      { name: 'repo-name', param: 'repo', in: 'path' },
      { name: 'page', param: 'page', in: 'query' },
    ],
  })
  expect(['body', 'number', 'owner', 'page', 'repo'].sort(order)).toEqual([
    'owner',
    'repo',
    'number',
    'body',
    'page',
  ])
})
