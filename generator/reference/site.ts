import type { Pieces } from '../cache/pieces.js'
import { contentDigest, digestOf } from '../cache/store.js'
import { compareText } from '../document/cursor.js'
import type { JsonObject } from '../document/document.js'
import { isObject, own } from '../document/json.js'
import { timezoneParameter } from '../model/build/timezone-parameter.js'
import type { Model, Operation } from '../model/model.js'
import { OperationPieces } from '../model/operation-pieces.js'
import { schemeText } from '../model/scheme-text.js'
import { referenceTo, resolve } from '../schema/schema.js'
import { type Addresses, addressesOf, namespacesOf, schemasPage } from './address.js'
import { assetsDigest, assetsOf, firstScript, scripts, styles } from './assets.js'
import { type Changes, changesOf } from './changes.js'
import { choicesOfComponent } from './choices.js'
import { dataScript } from './data.js'
import { type Example, examplesOf } from './example.js'
import { assumedOf, badgesOf, Fields, schemaAnchor } from './fields.js'
import { inlineHtml, markdownHtml } from './markdown.js'
import { type Line, Menus } from './menu.js'
import type { Neighbours } from './neighbours.js'
import { errorView, type OperationView, operationView } from './operation-view.js'
import { type Pages, pagesOf } from './pages.js'
import { scriptJson, type TryIt, tryItOf } from './try-it.js'

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
  const namespaces = namespacesOf(model)
  const addresses = addressesOf(namespaces)
  const assets = assetsOf(templates)
  const joined = (paths: readonly string[]): string => paths.map(assets.text).join('\n')
  const changes = changesOf(await neighbours.changes?.(), model, addresses)
  const site = new Site(model, addresses, pagesOf(assets), neighbours, namespaces, changes)
  const surroundings = digestOf(assetsDigest(assets), surroundingsOf(model, neighbours, namespaces, changes))
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
  files.set('index.html', site.index(namespaces))
  for (const namespace of namespaces)
    await page(
      addresses.page(namespace),
      [textOf(model, site.operationsOf(namespace), pieces, changes)],
      () => site.namespace(namespace),
    )
  await page(schemasPage, [], () => site.schemas())
  files.set('data.js', dataScript(model, addresses, neighbours.versions, pieces))
  files.set('first.js', assets.text(firstScript))
  files.set('reference.css', joined(styles))
  files.set('reference.js', joined(scripts))
  return new Map([...files].map(([path, text]) => [`reference/${path}`, text]))
}

/** Everything on a namespace's page besides its operations. */
function surroundingsOf(
  model: Model,
  { versions, module }: Neighbours,
  namespaces: readonly string[],
  changes: Changes | undefined,
): string {
  const { title, version, basePath, rpcPath, schemas, errors, errorMembers, securitySchemes } = model
  const catalogue = [[...errors], [...errorMembers]]
  const shown = [title, version, basePath, rpcPath, [...schemas], catalogue, [...securitySchemes]]
  const changed = [...schemas.keys()].map((name) => changes?.ofSchema(name)?.changes)
  return JSON.stringify([...shown, versions.map((one) => one.version), module, namespaces, changed])
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
    ]),
  )
}

/** Maximum characters of HTML for the schemas of a page. OpenAI's document needs two million. */
const mostOfSections = 8_000_000

/** From this number on, browsers lay out only the visible operations. */
const manySections = 30

class Site {
  readonly #exampleOf: (operation: Operation) => Promise<Example>
  readonly #tryIt: TryIt
  readonly #menus: Menus
  readonly #operations: ReadonlyMap<string, readonly Operation[]>
  readonly #sections = new Map<string, string>()

  constructor(
    readonly model: Model,
    readonly addresses: Addresses,
    readonly pages: Pages,
    readonly neighbours: Neighbours,
    namespaces: readonly string[],
    readonly changes: Changes | undefined,
  ) {
    this.#operations = byNamespace(model.operations)
    this.#menus = new Menus(namespaces, addresses, pages)
    this.#exampleOf = examplesOf(model)
    this.#tryIt = tryItOf(model)
  }

  operationsOf(namespace: string): readonly Operation[] {
    return this.#operations.get(namespace) ?? []
  }

  index(namespaces: readonly string[]): string {
    const { model } = this
    return this.pages.render('reference/index', {
      ...this.#frame(undefined, `${model.title} ${model.version}`),
      description: model.description === undefined ? '' : markdownHtml(model.description),
      namespaces: namespaces.map((namespace) => ({
        namespace,
        href: this.addresses.page(namespace),
        operations: this.operationsOf(namespace).map((operation) => this.#line(operation)),
      })),
      errors: Array.from(model.errors.keys(), (code) => {
        const written = memberOf(memberOf(model.openapi, 'x-errors'), code)
        const shown = errorView(model, code, new Fields(model.schemas, schemasPage))
        return { ...shown, badges: badgesOf(written), assumed: assumedOf(written) }
      }),
      ownErrors: model.operations.some(({ failures }) => failures.length > 0),
      schemes: Array.from(model.securitySchemes, ([name, scheme]) => {
        const schemes = memberOf(memberOf(model.openapi, 'components'), 'securitySchemes')
        const written = memberOf(schemes, name)
        const { description } = written
        return {
          name,
          text: schemeText(scheme),
          description: typeof description === 'string' ? inlineHtml(description) : '',
          badges: badgesOf(written),
        }
      }),
      changes: this.changes?.summary,
      webhooks: model.webhooks.map(({ kind, name, summary = '' }) => ({ kind, name, summary })),
    })
  }

  async namespace(namespace: string): Promise<string> {
    const fields = new Fields(this.model.schemas)
    const operations: OperationView[] = []
    for (const operation of this.operationsOf(namespace)) {
      operations.push(
        operationView(this.model, operation, await this.#exampleOf(operation), fields, {
          addresses: this.addresses,
          module: this.neighbours.module,
          tryIt: this.#tryIt,
          changes: this.changes,
        }),
      )
    }
    return this.pages.render('reference/namespace', {
      ...this.#frame(namespace, `${namespace} · ${this.model.title} ${this.model.version}`),
      namespace,
      operations,
      many: operations.length > manySections,
      schemas: this.#sectionsOf(fields),
    })
  }

  /** All components that links may lead to. A namespace's page has those that it names itself. */
  async schemas(): Promise<string> {
    const fields = new Fields(this.model.schemas)
    for (const name of this.model.schemas.keys()) fields.type({ $ref: referenceTo(name) })
    const schemas = this.#sectionsOf(fields)
    return this.pages.render('reference/schemas', {
      ...this.#frame(undefined, `Schemas · ${this.model.title} ${this.model.version}`),
      many: schemas.length > manySections,
      schemas,
    })
  }

  #sectionsOf({ linked }: Fields): string[] {
    let room = mostOfSections
    return [...linked].sort(compareText).map((name) => {
      const html = room > 0 ? this.#section(name) : this.#shortSection(name)
      room -= html.length
      return html
    })
  }

  /**
   * The section of a component whose fields would make its page too long: components that contain each other
   * repeat all fields.
   */
  #shortSection(name: string): string {
    const description = '<p>Its fields are omitted to keep the page short.</p>'
    const anchor = schemaAnchor(name)
    const bare = { badges: [], assumed: undefined, changes: undefined, type: [], fields: [], choices: [] }
    return this.pages.render('reference/schema', { name, anchor, description, ...bare })
  }

  /** HTML of a component's section. The same on every page. */
  #section(name: string): string {
    const known = this.#sections.get(name)
    if (known !== undefined) return known
    const fields = new Fields(this.model.schemas, schemasPage)
    const schema = this.model.schemas.get(name) ?? true
    const whole = resolve(this.model.schemas, schema)
    const [beside, target] = [isObject(schema) ? schema : {}, isObject(whole) ? whole : {}]
    const description = target.description
    const rows = fields.of(schema)
    const html = this.pages.render('reference/schema', {
      name,
      anchor: schemaAnchor(name),
      badges: badgesOf(beside, target),
      assumed: assumedOf(beside, target),
      changes: this.changes?.ofSchema(name),
      description: typeof description === 'string' ? markdownHtml(description) : '',
      type: rows.length > 0 ? [] : fields.type(schema),
      fields: rows,
      choices: choicesOfComponent(schema, fields).map((choice, index) => ({
        ...choice,
        group: `${name}-choice-${index}`,
        places: false,
        branches: choice.branches.map((branch) => ({ ...branch, label: `${name}: ${branch.title}` })),
      })),
    })
    this.#sections.set(name, html)
    return html
  }

  #frame(open: string | undefined, title: string): object {
    const { model } = this
    return {
      title,
      service: model.title,
      version: model.version,
      versions: this.neighbours.versions.map(({ version }) => ({
        version,
        href: `../../${encodeURIComponent(version)}/reference/index.html`,
        isThis: version === model.version,
      })),
      menu: this.#menus.of(
        open,
        open === undefined ? [] : this.operationsOf(open).map((one) => this.#line(one)),
      ),
      isIndex: open === undefined,
      settings: scriptJson({
        title: model.title,
        version: model.version,
        basePath: model.basePath,
        ...(model.rpcPath !== '/' && { rpcPath: model.rpcPath }),
        errors: Object.fromEntries(model.errors),
        securitySchemes: Object.fromEntries(
          Array.from(model.securitySchemes, ([name, scheme]) => [name, { ...scheme }]),
        ),
      } as never),
    }
  }

  #line(operation: Operation): Line {
    const { name, member, rest, summary = '', deprecation } = operation
    return {
      ...{ name, member, summary },
      method: rest.method,
      path: `${this.model.basePath}${rest.path}`,
      isDeprecated: deprecation !== undefined,
      href: this.addresses.operation(operation),
    }
  }
}

/** A member of an object, if it is an object. Otherwise an empty object. */
function memberOf(object: JsonObject, name: string): JsonObject {
  const member = own(object, name)
  return isObject(member) ? member : {}
}

function byNamespace(operations: readonly Operation[]): Map<string, Operation[]> {
  const found = new Map<string, Operation[]>()
  for (const operation of operations) {
    const members = found.get(operation.namespace) ?? []
    found.set(operation.namespace, members)
    members.push(operation)
  }
  return found
}
