import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { UnfinishedBodies } from './unfinished-bodies.js'

function requestOf(complete: boolean, headers: object = { 'content-length': '9' }): IncomingMessage {
  return Object.assign(new EventEmitter(), { headers, complete }) as IncomingMessage
}

describe('bodies that are coming in', () => {
  let given: IncomingMessage[]
  let here: IncomingMessage[]
  beforeEach(() => {
    given = []
    here = []
  })
  const bodiesOf = (bodies: number, bytes: number) => {
    const unfinished = new UnfinishedBodies({ bodies, bytes }, (request) => given.push(request))
    return (request: IncomingMessage) => {
      unfinished.add(request, () => here.push(request))
      return request
    }
  }

  it('give way when they are too many, the oldest first, and none that waits to be read', () => {
    const add = bodiesOf(2, 1_000)
    const unread = add(requestOf(true))
    const slow = add(requestOf(false))
    add(requestOf(false))
    expect([given, here]).toEqual([[], [unread]])
    add(requestOf(false))
    expect([given, here]).toEqual([[slow], [unread]])
  })

  it('give way when they are too long together, as announced or as far as they may be', () => {
    const add = bodiesOf(100, 2_000_000)
    const first = add(requestOf(false, { 'content-length': '1000000' }))
    add(requestOf(false, { 'content-length': '1000000' }))
    expect(given).toEqual([])
    const unknown = add(requestOf(false, { 'transfer-encoding': 'chunked' }))
    expect(given.length).toBe(2)
    expect([given[0], given.includes(unknown)]).toEqual([first, false])
  })

  it('are here when they have come with the head, have been read, or are none', async () => {
    const add = bodiesOf(100, 1_000)
    const none = add(requestOf(false, {}))
    const withHead = add(requestOf(true))
    const read = add(requestOf(false))
    const gone = add(requestOf(false))
    expect(here).toEqual([none])
    await setImmediate()
    gone.emit('close')
    read.emit('end')
    gone.emit('end')
    expect([here, given]).toEqual([[none, withHead, read], []])
  })
})
