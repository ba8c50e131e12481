import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { ChannelListener } from '../database/database.js'

const pingMs = 5_000
const firstPauseMs = 50
const longestPauseMs = 2_000

/**
 * Listens on a separate connection, and reconnects whenever it is lost. Resolves after the first attempt, successful or
 * not.
 * @param connection creates a client that is not connected yet, and whose queries have a time limit
 * @returns a function that stops listening
 */
export async function listenOn(
  connection: () => pg.Client,
  channel: string,
  listener: ChannelListener,
  onError: (error: Error) => void,
): Promise<() => Promise<void>> {
  const stopping = new AbortController()
  const { signal } = stopping
  let triedOnce = () => {}
  const tried = new Promise<void>((resolve) => {
    triedOnce = resolve
  })
  const listening = (async () => {
    let pauseMs = firstPauseMs
    while (!signal.aborted) {
      const client = connection()
      const lost = lossOf(client, signal)
      try {
        client.on('notification', ({ payload = '' }) => listener.onMessage(payload))
        await client.connect()
        await client.query(`listen ${client.escapeIdentifier(channel)}`)
        listener.onGap()
        triedOnce()
        pauseMs = firstPauseMs
        await lost
      } catch (error) {
        if (error instanceof Error && !signal.aborted) onError(error)
      }
      listener.onGap()
      triedOnce()
      // `end` never resolves if the server does not answer.
      void client.end().catch(() => {})
      await delay(pauseMs, undefined, { signal, ref: false }).catch(() => {})
      pauseMs = Math.min(2 * pauseMs, longestPauseMs)
    }
  })()
  await tried
  return async () => {
    stopping.abort()
    await listening
  }
}

/** Rejects when the connection has ended or does not answer; resolves when it is no longer wanted. */
function lossOf(client: pg.Client, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  const lost = new Promise<void>((resolve, reject) => {
    // A connection that the network has cut looks idle, so ping it.
    const pinging = setInterval(() => client.query('select 1').catch(reject), pingMs).unref()
    over.signal.addEventListener('abort', () => clearInterval(pinging))
    signal.addEventListener('abort', () => resolve(), { signal: over.signal })
    client.on('error', reject)
    client.once('end', () => reject(new Error('The connection that listens has ended')))
  }).finally(() => over.abort())
  lost.catch(() => {})
  return lost
}
