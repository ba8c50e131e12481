// One server in a process of its own: node serve.mjs PEER. Tells its port, and what it has used when it is asked.
const [name] = process.argv.slice(2)
const { server } = await import(`./peers/${name}.mjs`)
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: server.address().port, ...usage() })
})
process.on('message', () => process.send?.(usage()))
process.on('disconnect', () => process.exit(0))

/** CPU time in microseconds, memory in bytes, and the time since the process began in milliseconds. */
function usage() {
  const { user, system } = process.cpuUsage()
  return { cpu: user + system, memory: process.memoryUsage.rss(), uptime: performance.now() }
}
