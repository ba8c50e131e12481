import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder of duet-api itself: from the build it is one level further up than from the sources. */
export function packageFolder(): string {
  const fromBuild = !import.meta.url.endsWith('.ts')
  return fileURLToPath(new URL(fromBuild ? '../..' : '..', import.meta.url))
}

/** The version of duet. All its packages share it. */
export function version(): string {
  return packageManifest().version
}

/** The package.json of duet-api. */
export function packageManifest(): {
  readonly version: string
  readonly engines: { readonly node: string }
  readonly dependencies: { readonly typescript: string }
  readonly devDependencies: { readonly '@types/node': string }
} {
  return JSON.parse(readFileSync(`${packageFolder()}/package.json`, 'utf8'))
}
