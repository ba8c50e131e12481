import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { Connections } from './connections.js'

/** A connection that records whether it was ended. */
function socketOf(): Socket & { readonly ended: boolean } {
  const socket = Object.assign(new EventEmitter(), {
    ended: false,
    destroy() {
      socket.ended = true
      socket.emit('close')
    },
  })
  return socket as unknown as Socket & { ended: boolean }
}

describe('connections beyond the bound', () => {
  it('close the one that has been idle longest', () => {
    const connections = new Connections(3)
    const [working, first, second, third] = [socketOf(), socketOf(), socketOf(), socketOf()]
    for (const socket of [working, first, second]) connections.add(socket)
    connections.use(working)
    connections.use(first)
    connections.rest(first)
    connections.add(third)
    expect([working, first, second, third].map(({ ended }) => ended)).toEqual([false, false, true, false])
  })

  it('are closed themselves if all others have calls', () => {
    const connections = new Connections(1)
    const [working, late] = [socketOf(), socketOf()]
    connections.add(working)
    connections.use(working)
    connections.add(late)
    expect([working.ended, late.ended]).toEqual([false, true])
  })

  it('spare one that has another call in progress', () => {
    const connections = new Connections(1)
    const [working, late] = [socketOf(), socketOf()]
    connections.add(working)
    connections.use(working)
    connections.use(working)
    connections.rest(working)
    connections.add(late)
    expect([working.ended, late.ended]).toEqual([false, true])
    connections.rest(working)
    connections.add(socketOf())
    expect(working.ended).toBe(true)
  })
})
