/** The files of a version besides its reference and manifest, by who needs them: everybody, or a service alone. */
const versionFiles = {
  'client.ts': 'all',
  'operations.ts': 'all',
  'types.ts': 'all',
  'express.ts': 'service',
  'handlers.ts': 'service',
  'index.ts': 'service',
  'jsonrpc.ts': 'service',
  'mcp.json': 'service',
  'schemas.ts': 'service',
  'validators.js': 'service',
  'validators.d.ts': 'service',
  'openapi.json': 'service',
  'openrpc.json': 'service',
} as const

export type VersionFile = keyof typeof versionFiles

const names = Object.keys(versionFiles) as VersionFile[]

/** The names of the files that a version has. */
export function filesOf(clientOnly: boolean): readonly VersionFile[] {
  return clientOnly ? names.filter((name) => versionFiles[name] === 'all') : names
}

const ofReference = ['.html', '.css', '.js']

/**
 * The files that the compiler does not write into the built package. Compiled: `NAME.ts`, to `NAME.js` and `NAME.d.ts`.
 */
export const assets = names.filter((name) => !/(?<!\.d)\.ts$/.test(name))

/** The extensions of all files of a built version. */
export const builtExtensions = new Set(['.js', '.d.ts', ...assets.map(extensionOf), ...ofReference])

function extensionOf(name: string): string {
  return /(?:\.d)?\.\w+$/.exec(name)?.[0] ?? ''
}
