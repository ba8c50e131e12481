import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { project } from '../built-duet.js'

/** A local package registry. It fetches all packages except ours from the usual one. */
export interface LocalRegistry {
  readonly url: string
  /** The environment in which npm, pnpm and yarn use it. */
  readonly environment: NodeJS.ProcessEnv
  readonly stop: () => Promise<void>
}

const server = `require('verdaccio').runServer(process.argv[1]).then((server) =>
  server.listen(0, '127.0.0.1', () => process.send(server.address().port)))`

/** Starts a registry that has our packages. @param folder for the files of the registry and the package managers */
export async function startRegistry(folder: string): Promise<LocalRegistry> {
  const registry = await startEmpty(folder)
  publishTo(registry)
  return registry
}

async function startEmpty(folder: string): Promise<LocalRegistry> {
  mkdirSync(folder)
  const usual = spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).stdout.trim()
  const ours = ['create-duet', 'duet-*'].map(
    (name) => `  '${name}': { access: $all, publish: $anonymous, unpublish: $anonymous }\n`,
  )
  writeFileSync(
    join(folder, 'verdaccio.yaml'),
    `storage: ./storage
uplinks: { usual: { url: '${usual}', maxage: 60m, timeout: 60s } }
packages:
${ours.join('')}  '**': { access: $all, proxy: usual }
web: { enable: false }
log: { type: stdout, format: pretty, level: fatal }
max_body_size: 100mb
`,
  )
  const child = spawn(process.execPath, ['--eval', server, join(folder, 'verdaccio.yaml')], {
    cwd: project,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [port] = await once(child, 'message')
  const url = `http://127.0.0.1:${port}/`
  const config = join(folder, 'npmrc')
  // npm needs a token to publish. The registry accepts any.
  writeFileSync(config, `registry=${url}\n//${new URL(url).host}/:_authToken=anybody\n`)
  const cache = join(folder, 'cache')
  mkdirSync(cache)
  const { NODE_OPTIONS: _, NODE_ENV: __, npm_config_user_agent: ___, ...inherited } = process.env
  const environment = {
    ...Object.fromEntries(Object.entries(inherited).filter(([name]) => !/^npm_config_registry$/i.test(name))),
    ...{ npm_config_userconfig: config, npm_config_cache: cache, npm_config_registry: url },
    ...{ YARN_REGISTRY: url, XDG_DATA_HOME: join(folder, 'data'), XDG_CACHE_HOME: cache },
    ...{ npm_config_audit: 'false', npm_config_fund: 'false', npm_config_update_notifier: 'false' },
  }
  return {
    ...{ url, environment },
    stop: async () => {
      child.kill()
      await once(child, 'exit')
    },
  }
}

/** Publishes the packages as a release does, but without a build: other tests run what it would replace. */
function publishTo(registry: LocalRegistry): void {
  const args = ['scripts/release.mjs', '--registry', registry.url, '--no-provenance', '--no-build']
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: project,
    env: registry.environment,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The release failed: ${stderr}`)
}
