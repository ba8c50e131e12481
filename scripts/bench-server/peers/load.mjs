// Load from a separate process: receives a request and a duration, and sends back the results.
import autocannon from 'autocannon'

process.on('message', async (/** @type {any} */ { url, request, headers, seconds, connections }) => {
  const { method, body } = request
  const result = await autocannon({ url, method, body, headers, connections, duration: seconds })
  const { requests, latency, errors, timeouts, non2xx, duration } = result
  process.send?.({
    requests: requests.total,
    seconds: duration,
    p50: latency.p50,
    p99: latency.p99,
    failures: errors + timeouts + non2xx,
  })
})
process.on('disconnect', () => process.exit(0))
