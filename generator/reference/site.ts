import type { Pieces } from '../cache/pieces.js'
import { contentDigest, digestOf } from '../cache/store.js'
import { jsonOfDigits } from '../document/written-digits.js'
import { hasTools } from '../mcp/has-tools.js'
import { timezoneParameter } from '../model/build/timezone-parameter.js'
import type { Model, Operation } from '../model/model.js'
import { OperationPieces } from '../model/operation-pieces.js'
import { Sampler } from '../samples/sampler.js'
import { orderText } from '../schema/written-properties.js'
import { type Addresses, addressesOf, byNamespace, schemasPage, shownSchemas } from './address.js'
import { assetsDigest, assetsOf, firstScripts, scripts, styles } from './assets.js'
import { type Changes, changesOf } from './changes.js'
import { dataScript } from './data.js'
import { type Example, examplesOf } from './example.js'
import { Fields } from './fields/fields.js'
import { markdownHtml } from './html/markdown.js'
import { type Group, groupsOf, type Line, Menus, namespaceTitle } from './menu.js'
import type { Neighbours } from './neighbours.js'
import { type OperationView, operationView } from './operation-view.js'
import { type Pages, pagesOf } from './pages.js'
import { type Part, partsOf } from './paging/parts.js'
import { type SchemaSurroundings, schemaLine, schemaView, webhookView } from './schema-view.js'
import { settingsOf } from './settings.js'
import { aboutView, beginView, errorsView, hasProvenance, schemesView, serversView } from './start-view.js'
import { titleOf } from './titles.js'
import { type TryIt, tryItOf } from './try-it.js'
import { type Uses, usesOf } from './uses.js'

interface ReferenceOptions {
  /** Absolute path of the project's own templates. */
  readonly templates?: string | undefined
  readonly pieces?: OperationPieces
  readonly known?: KnownPages
}

/** Pages that an earlier run has made. */
interface KnownPages {
  readonly pieces: Pieces
  /** Receives what makes the text of each of them, by path. */
  readonly makers: Map<string, () => Promise<string>>
}

/**
 * `reference/`: a static site of one version, by path within the version's folder. It is readable without
 * scripts, from any web server and from a file, and loads nothing from elsewhere. A known page has its SHA-256 in
 * place of its text.
 */
export async function emitReference(
  model: Model,
  neighbours: Neighbours,
  { templates, pieces = new OperationPieces(model), known }: ReferenceOptions = {},
): Promise<Map<string, string>> {
  const schemas = shownSchemas(model)
  const addresses = addressesOf(model.operations, schemas)
  const assets = assetsOf(templates)
  const joined = (paths: readonly string[]): string => paths.map(assets.text).join('\n')
  const changes = changesOf(await neighbours.changes?.(), model, addresses)
  const site = new Site(model, addresses, pagesOf(assets), neighbours, changes)
  const surroundings = digestOf(assetsDigest(assets), surroundingsOf(model, neighbours, site.groups, changes))
  const files = new Map<string, string>()
  const page = async (path: string, parts: readonly string[], make: () => Promise<string>): Promise<void> => {
    const key = ['page', surroundings, path, ...parts]
    const digest = known?.pieces.get(...key)
    if (typeof digest === 'string') {
      known?.makers.set(`reference/${path}`, make)
      files.set(path, digest)
    } else {
      const text = await make()
      known?.pieces.set(contentDigest(text), ...key)
      files.set(path, text)
    }
  }
  files.set('index.html', await site.index())
  for (const part of site.parts)
    await page(
      part.path,
      [textOf(model, part.operations, pieces, changes), JSON.stringify(part.paging ?? null)],
      () => site.part(part),
    )
  await page(schemasPage, [], () => site.schemas(schemas))
  const uses = usesOf(model)
  for (const name of schemas) {
    const used = uses.get(name)
    await page(addresses.schema(name), [usesText(used)], () => site.schema(name, used))
  }
  files.set('data.js', dataScript(model, addresses, neighbours.versions, pieces, changes !== undefined))
  files.set('first.js', joined(firstScripts))
  files.set('reference.css', joined(styles))
  files.set('reference.js', joined(scripts))
  return new Map([...files].map(([path, text]) => [`reference/${path}`, text]))
}

/** Everything on a page besides the operations or the schema that it shows. */
function surroundingsOf(
  model: Model,
  { versions, module }: Neighbours,
  groups: readonly Group[],
  changes: Changes | undefined,
): string {
  const { title, version, basePath, rpcPath, schemas, errors, errorMembers, openapi } = model
  const catalogue = [[...errors], [...errorMembers]]
  const { components, servers } = openapi
  const shown = [
    title,
    version,
    basePath,
    rpcPath,
    [...schemas],
    catalogue,
    components ?? null,
    servers ?? null,
    orderText(schemas.values()),
    jsonOfDigits(openapi),
  ]
  const changed = [...schemas.keys()].map((name) => changes?.ofSchema(name)?.changes)
  const traits = [changes !== undefined, hasProvenance(model), hasTools(model), model.webhooks.length > 0]
  return JSON.stringify([...shown, versions.map((one) => one.version), module, groups, changed, traits])
}

/** Represents the operations that a page shows. */
function textOf(
  model: Model,
  operations: readonly Operation[],
  pieces: OperationPieces,
  changes: Changes | undefined,
): string {
  return JSON.stringify(
    operations.map((operation) => [
      pieces.digestOf(operation),
      timezoneParameter(model, operation),
      changes?.of(operation.name),
      orderText([
        operation.params,
        operation.result,
        ...operation.failures.flatMap(({ schema = true }) => [schema]),
      ]),
    ]),
  )
}

/** Represents the uses that a schema's page shows. */
function usesText(uses: Uses | undefined): string {
  const operations = uses?.operations.map(({ operation, as }) => [operation.name, titleOf(operation), as])
  return JSON.stringify([
    operations ?? [],
    uses?.schemas ?? [],
    uses?.inErrors === true,
    uses?.inWebhooks === true,
    uses?.isSent === true,
  ])
}

/** From this number on, browsers lay out only the visible operations. */
const manySections = 30

/** From this number on, the start page folds its operations. */
const manyLines = 60

function counted(count: number): { readonly count: number; readonly unit: string } {
  return { count, unit: count === 1 ? 'operation' : 'operations' }
}

class Site {
  readonly groups: readonly Group[]
  readonly parts: readonly Part[]
  readonly #exampleOf: (operation: Operation) => Promise<Example>
  readonly #tryIt: TryIt
  readonly #menus: Menus
  readonly #operations: ReadonlyMap<string, readonly Operation[]>
  readonly #fields: Fields
  readonly #settings: string
  readonly #hasProvenance: boolean
  #sampler: Sampler | undefined

  constructor(
    readonly model: Model,
    readonly addresses: Addresses,
    readonly pages: Pages,
    readonly neighbours: Neighbours,
    readonly changes: Changes | undefined,
  ) {
    this.#operations = byNamespace(model.operations)
    this.parts = partsOf(this.#operations, addresses)
    this.groups = groupsOf(model, [...this.#operations.keys()], (namespace) => this.operationsOf(namespace))
    this.#menus = new Menus(this.groups, addresses, pages)
    this.#exampleOf = examplesOf(model)
    this.#tryIt = tryItOf(model)
    this.#fields = new Fields(model.schemas, addresses.schema)
    this.#settings = settingsOf(model, neighbours.module)
    this.#hasProvenance = hasProvenance(model)
  }

  operationsOf(namespace: string): readonly Operation[] {
    return this.#operations.get(namespace) ?? []
  }

  async index(): Promise<string> {
    const { model } = this
    return this.pages.render('reference/index', {
      ...this.#frame(undefined, `${model.title} ${model.version}`),
      isOverview: true,
      about: aboutView(model),
      servers: serversView(model),
      begin: await beginView(model, this.#exampleOf, this.neighbours.module, this.addresses.operation),
      isLong: model.operations.length > manyLines,
      groups: this.groups.map((group) => ({
        ...group,
        ...counted(group.namespaces.reduce((sum, each) => sum + this.operationsOf(each).length, 0)),
        description: group.description === undefined ? '' : markdownHtml(group.description),
        href: this.addresses.page(group.namespaces[0] ?? ''),
        namespaces: group.namespaces.map((namespace) => ({
          title: namespaceTitle(namespace, group),
          isAlone: group.namespaces.length === 1,
          href: this.addresses.page(namespace),
          operations: this.operationsOf(namespace).map((operation) => this.#line(operation)),
        })),
      })),
      hasTools: hasTools(model),
      errors: errorsView(model, this.#fields),
      ownErrors: model.operations.some(({ failures }) => failures.length > 0),
      schemes: schemesView(model),
      changes: this.changes?.summary,
      webhooks: model.webhooks.map((webhook) => webhookView(webhook, this.#schemaSurroundings)),
    })
  }

  async part(part: Part): Promise<string> {
    const { namespace, paging } = part
    const operations: OperationView[] = []
    for (const operation of part.operations) {
      operations.push(
        operationView(this.model, operation, await this.#exampleOf(operation), this.#fields, {
          addresses: this.addresses,
          module: this.neighbours.module,
          tryIt: this.#tryIt,
          changes: this.changes,
        }),
      )
    }
    const group = this.#groupOf(namespace)
    const title = group === undefined ? namespace : namespaceTitle(namespace, group)
    const range = paging === undefined ? '' : ` ${paging.first}–${paging.last}`
    const isAlone = group?.namespaces.length === 1
    const description = isAlone && paging?.previous === undefined ? group.description : undefined
    return this.pages.render('reference/namespace', {
      ...this.#frame(part, `${title}${range} · ${this.model.title} ${this.model.version}`),
      heading: title,
      paging,
      above: group === undefined || group.title === title ? '' : group.title,
      description: description === undefined ? '' : markdownHtml(description),
      operations,
      many: operations.length > manySections,
    })
  }

  /** The list of all components. */
  async schemas(names: readonly string[]): Promise<string> {
    const surroundings = this.#schemaSurroundings
    return this.pages.render('reference/schemas', {
      ...this.#frame(undefined, `Schemas · ${this.model.title} ${this.model.version}`),
      isSchemas: true,
      count: names.length,
      schemas: names.map((name) => schemaLine(name, surroundings)),
    })
  }

  async schema(name: string, uses: Uses | undefined): Promise<string> {
    return this.pages.render('reference/schema', {
      ...this.#frame(undefined, `${name} · ${this.model.title} ${this.model.version}`),
      isSchemas: true,
      schema: schemaView(name, uses, this.#schemaSurroundings),
    })
  }

  get #schemaSurroundings(): SchemaSurroundings {
    this.#sampler ??= new Sampler(this.model.schemas, 'result')
    const { model, addresses, changes } = this
    return { model, fields: this.#fields, addresses, changes, sampler: this.#sampler }
  }

  #groupOf(namespace: string): Group | undefined {
    return this.groups.find(({ namespaces }) => namespaces.includes(namespace))
  }

  #frame(open: Part | undefined, title: string): object {
    const { model } = this
    return {
      title,
      service: model.title.trim() || 'API',
      version: model.version,
      versions: this.neighbours.versions.map(({ version }) => ({
        version,
        // This version may be served, or opened from a folder, without the others.
        href:
          version === model.version
            ? 'index.html'
            : `../../${encodeURIComponent(version)}/reference/index.html`,
        isThis: version === model.version,
      })),
      menu: this.#menus.of(open && { ...open, operations: open.operations.map((one) => this.#line(one)) }),
      hasOperations: model.operations.length > 0,
      hasWebhooks: model.webhooks.length > 0,
      hasChanges: this.changes !== undefined,
      hasSchemes: model.securitySchemes.size > 0,
      hasProvenance: this.#hasProvenance,
      many: false,
      settings: this.#settings,
    }
  }

  #line(operation: Operation): Line {
    const { name, rest, deprecation } = operation
    return {
      name,
      title: titleOf(operation),
      method: rest.method,
      path: `${this.model.basePath}${rest.path}`,
      isDeprecated: deprecation !== undefined,
      href: this.addresses.operation(operation),
    }
  }
}
