import { readFileSync } from 'node:fs'

/** Version of duet itself. */
export function version(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(packageFile(), 'utf8'))
  return manifest.version
}

/** package.json is one folder further up from the build than from the sources. */
function packageFile(): URL {
  const fromBuild = import.meta.url.endsWith('.js')
  return new URL(fromBuild ? '../../package.json' : '../package.json', import.meta.url)
}
