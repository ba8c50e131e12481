import { compilerOptions } from '../code/compiler-options.js'
import { keyText } from '../code/literal.js'
import type { Reading } from '../load/selection.js'
import { credentialHelper } from '../model/credential-kinds.js'
import type { Model, Operation } from '../model/model.js'
import { rpcTarget } from '../model/rpc-target.js'
import { packageManifest } from '../project/own-package.js'
import { apiPackage } from '../project/settings.js'
import type { Templates } from '../project/templates.js'
import { quoted } from '../samples/credentials.js'
import { clientData } from './client-project.js'
import type { Dependency } from './location.js'
import type { PackageManager } from './package-manager.js'

/** The inputs of a new project. */
export interface ProjectSource {
  /** npm name of the project. */
  readonly name: string
  readonly model: Model
  /** File name of the entry document in its version's folder. */
  readonly entry: string
  /** Whether the document refers to remote files. */
  readonly remote: boolean
  readonly duet: Dependency
  readonly runtime: Dependency
  readonly versions: { readonly typescript: string; readonly node: string }
  readonly manager: PackageManager
  /** Whether the document is duet's own, which has ready handlers. */
  readonly isStarter: boolean
  /** Whether the project only calls the API. */
  readonly clientOnly: boolean
  /** Which parts of the document count. Overlays have their paths in the project. */
  readonly reading: Reading
}

/** Handlers of the default document, by path. */
export function starterHandlers(api: string, templates: Templates): Map<string, string> {
  return new Map([['src/handlers/tasks.ts', templates.render('init/starter/tasks.ts.hbs', { api })]])
}

/** The files of a project that its owner edits, by path. Excludes the document, the handlers and generated files. */
export function projectFiles(source: ProjectSource, templates: Templates): Map<string, string> {
  const { model, name, entry, duet, runtime } = source
  const { version, title } = model
  const linked = [duet, runtime].filter(({ specifier }) => specifier.startsWith('file:'))
  const secured = model.operations.some(({ security }) => security.length > 0)
  const auth = secured ? clientAuth(model) : undefined
  const { clientOnly } = source
  const data = {
    clientOnly,
    ...{ name, title, version, entry, secured, isListed: !isFound(entry) },
    ownErrors: model.operations.some(({ failures }) => failures.length > 0),
    api: `${apiPackage(name)}/${version}`,
    linked: linked.length > 0 && linked.map((one) => `"${one.name}": "${one.specifier}"`),
    auth: auth?.auth ?? false,
    helpers: auth?.helpers ?? [],
    basePath: model.basePath,
    curl: curlOf(model),
    manager: source.manager,
    isNpm: source.manager === 'npm',
    isStarter: source.isStarter,
    quotedEntry: quoted(entry),
    generate: JSON.stringify(generateArguments(source)),
    scaffold: JSON.stringify(scaffoldArguments(source)),
  }
  const render = (path: string, more?: object) => templates.render(`init/${path}.hbs`, { ...data, ...more })
  const shared = new Map([
    ['.github/workflows/ci.yml', render('ci.yml')],
    ['.gitignore', render('gitignore')],
    [
      'duet.config.json',
      json({
        package: apiPackage(name),
        ...(isFound(entry) ? {} : { specs: [specOf(source)] }),
        ...source.reading,
        ...(clientOnly && { only: ['client'] }),
      }),
    ],
    ['package.json', json(manifest(source))],
    ['tsconfig.json', json(clientOnly ? clientTsconfig : tsconfig)],
  ])
  if (clientOnly) {
    const ofClient = clientData(model)
    return new Map([
      ...shared,
      ['README.md', render('client/README.md', ofClient)],
      ['src/client.ts', render('client/client.ts', ofClient)],
      ['src/main.ts', render('client/main.ts', ofClient)],
    ])
  }
  return new Map([
    ...shared,
    ['README.md', render('README.md')],
    ['dev.js', render('dev.js')],
    ...(secured
      ? ([
          ['src/authenticate.ts', render('authenticate.ts')],
          ['src/handlers/principal.ts', render('principal.ts')],
        ] as const)
      : []),
    ['src/api.ts', render('service.ts')],
    ['src/handlers/api.ts', render('api.ts')],
    ['src/main.ts', render('main.ts')],
    ['test/parity.test.ts', render('parity.test.ts')],
  ])
}

/** Whether duet looks for a document of this name. */
function isFound(entry: string): boolean {
  return /^openapi\.(?:ya?ml|json)$/.test(entry)
}

function specOf({ model, entry }: ProjectSource): string {
  return `spec/${model.version}/${entry}`
}

function generateArguments({ remote }: ProjectSource): string[] {
  return ['generate', ...(remote ? ['--allow-remote'] : [])]
}

/** The document's name in commands. */
function specArgument(source: ProjectSource): string {
  return isFound(source.entry) ? source.model.version : specOf(source)
}

function scaffoldArguments(source: ProjectSource): string[] {
  return [
    'scaffold',
    specArgument(source),
    '--out',
    'src/handlers',
    ...(source.remote ? ['--allow-remote'] : []),
  ]
}

function manifest(source: ProjectSource): object {
  const { name, duet, runtime, versions, manager, clientOnly, remote } = source
  const isNpm = manager === 'npm'
  const generate = `duet ${generateArguments(source).join(' ')}`
  const build = 'tsc -b && node generated/copy-assets.js'
  return {
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    engines: packageManifest().engines,
    ...(isNpm && { workspaces: ['generated'] }),
    scripts: clientOnly
      ? {
          generate,
          check: `${generate} --check`,
          build,
          mock: `duet mock ${specArgument(source)}${remote ? ' --allow-remote' : ''}`,
          start: 'node dist/src/main.js',
        }
      : {
          dev: 'node dev.js',
          generate,
          scaffold: `duet ${scaffoldArguments(source).join(' ')}`,
          check: `${generate} --check && ${manager} run scaffold${isNpm ? ' --' : ''} --check`,
          build,
          // pnpm and yarn may run no script `pretest`.
          test: `${build} && node --test dist/test/parity.test.js`,
          start: 'node dist/src/main.js',
        },
    // A version range would allow a package of this name in the registry to replace the folder.
    dependencies: {
      [apiPackage(name)]: isNpm ? 'file:generated' : 'link:./generated',
      [runtime.name]: runtime.specifier,
    },
    devDependencies: {
      '@types/node': versions.node,
      [duet.name]: duet.specifier,
      typescript: versions.typescript,
    },
  }
}

// Responses and calls omit undefined members, so projects need not distinguish them from missing ones.
const { exactOptionalPropertyTypes: _, ...projectOptions } = compilerOptions

const tsconfig = {
  compilerOptions: projectOptions,
  references: [{ path: 'generated' }],
  include: ['src', 'test', 'adapters'],
}

const clientTsconfig = { ...tsconfig, include: ['src'] }

/** Sample credentials of all schemes for the client, and the helpers that create them. */
function clientAuth({ securitySchemes }: Model): { helpers: readonly string[]; auth: string } | undefined {
  const schemes = Array.from(securitySchemes, ([name, scheme]) => ({
    name,
    helper: credentialHelper(scheme),
  }))
  const sent = schemes.flatMap(({ name, helper }) => (helper === undefined ? [] : [{ name, helper }]))
  if (sent.length === 0) return undefined
  const credentials = sent.map(({ name, helper }) => {
    const given = helper === 'basic' ? "'parity-test', 'parity-test'" : "'parity-test'"
    return `${keyText(name)}: ${helper}(${given})`
  })
  return {
    helpers: [...new Set(sent.map(({ helper }) => helper))].sort(),
    auth: `{ ${credentials.join(', ')} }`,
  }
}

/** A command that calls an operation without required params, or else fetches the document. */
function curlOf(model: Model): string {
  const address = 'http://127.0.0.1:8080'
  const isPlain = ({ rest }: Operation) => rest.method === 'GET' && /^[\w/.-]+$/.test(rest.path)
  const found = model.operations.find(isPlain)
  if (found !== undefined) return quoted(`${address}${model.basePath}${found.rest.path}`)
  return `-H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}' ${quoted(`${address}${rpcTarget(model)}`)}`
}

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
