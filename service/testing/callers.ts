import { connect } from 'node:net'

/**
 * Sends calls without a pause until the port closes, and counts them by outcome: the status, or `lost` for calls
 * without an answer. A new connection without any answer counts as one `unaccepted`: the kernel accepts it before the
 * server does.
 * @param request one call
 * @param together how many calls to pipeline on a connection
 * @param isKept whether to reuse connections
 */
export async function callUntilClosed(
  port: number,
  request: string,
  together: number,
  isKept: boolean,
  calls: Record<string, number>,
): Promise<void> {
  while (await callOnOne(port, request, together, isKept, calls));
}

/** Calls on one connection until it ends. False: it could not connect. */
function callOnOne(
  port: number,
  request: string,
  together: number,
  isKept: boolean,
  calls: Record<string, number>,
): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let connected = false
    let answeredBefore = false
    let received = ''
    let due = 0
    const send = () => {
      received = ''
      due = together
      socket.write(request.repeat(together))
    }
    socket.on('connect', () => {
      connected = true
      send()
    })
    socket.on('data', (data) => {
      received += data
      // Every answer is a JSON object.
      const statuses = received.match(/HTTP\/1\.1 \d+/g) ?? []
      if (statuses.length < together || !/\}$/.test(received)) return
      for (const status of statuses) count(calls, status.slice(9))
      due = 0
      answeredBefore = true
      if (isKept && !/^connection: close\r$/im.test(received)) send()
      else socket.end()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      const answered = due === 0 ? [] : (received.match(/HTTP\/1\.1 \d+/g) ?? [])
      for (const status of answered) count(calls, status.slice(9))
      if (due > 0 && !answeredBefore && received === '') count(calls, 'unaccepted')
      else for (let lost = answered.length; lost < due; lost++) count(calls, 'lost')
      resolve(connected)
    })
  })
}

function count(calls: Record<string, number>, what: string): void {
  calls[what] = (calls[what] ?? 0) + 1
}
