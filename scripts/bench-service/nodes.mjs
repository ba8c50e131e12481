// The built service as several processes on one database.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../service/dist/server/main.js', import.meta.url))

/**
 * @param {number} number
 * @param {Record<string, string>} settings
 * @param {'inherit' | 'ignore'} [log] where the nodes' log goes
 * @returns {Promise<{ urls: readonly string[], pids: readonly (number | undefined)[], stop: () =>
 * Promise<void> }>}
 */
export async function startNodes(number, settings, log = 'inherit') {
  const children = Array.from({ length: number }, () =>
    spawn(process.execPath, [main], {
      env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'warn', ...settings },
      stdio: ['ignore', 'pipe', log],
    }),
  )
  const stop = async () => {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
  }
  try {
    const urls = await Promise.all(children.map(urlOf))
    return { urls, pids: children.map(({ pid }) => pid), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<string>} */
function urlOf(child) {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (data) => {
      text += data
      const url = /^Billing \S+ on (\S+)$/m.exec(text)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.once('exit', (code) => reject(new Error(`A node ended with ${code}`)))
  })
}
