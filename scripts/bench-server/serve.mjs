// One server in its own process: node serve.mjs PEER. Sends its port, and on request its resource usage.
const [name] = process.argv.slice(2)
const { server, fetch } = await import(`./peers/${name}.mjs`)
const bun = /** @type {any} */ (globalThis).Bun
if (bun === undefined) server.listen(0, '127.0.0.1', () => sendUsage(server.address().port))
else sendUsage(bun.serve({ hostname: '127.0.0.1', port: 0, fetch }).port)
process.on('message', () => process.send?.(usage()))
process.on('disconnect', () => process.exit(0))

/** @param {number} port */
function sendUsage(port) {
  process.send?.({ port, ...usage() })
}

/** CPU time in microseconds, memory in bytes, and the time since the process began in milliseconds. */
function usage() {
  const { user, system } = process.cpuUsage()
  return { cpu: user + system, memory: process.memoryUsage.rss(), uptime: performance.now() }
}
