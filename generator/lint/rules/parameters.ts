import type { Json, JsonObject } from '../../document/document.js'
import type { GrammarNode } from '../../document/grammar.js'
import { isArray, isObject, own, quoted } from '../../document/json.js'
import type { Path } from '../../document/pointer.js'
import { below, type Context, type Rule } from './rule.js'

/** Parameter Objects, alone and in their lists (OpenAPI 3.1.1, Parameter Object). */
export const parameters: Rule = (context) => ({
  pathItem: (node) => reportDuplicates(context, node),
  operation: (node) => reportDuplicates(context, node),
  header(node) {
    if (isObject(node.value) && !Object.hasOwn(node.value, '$ref'))
      checkSchema(context, node, node.value, `header ${node.path?.key}`)
  },
  parameter(node) {
    const { value } = node
    if (!isObject(value) || Object.hasOwn(value, '$ref')) return
    const name = own(value, 'name')
    checkSchema(context, node, value, `parameter ${typeof name === 'string' ? name : quoted(name)}`)
    checkStyle(context, node, value)
    if (
      own(value, 'in') === 'header' &&
      typeof name === 'string' &&
      /^(accept|content-type|authorization)$/i.test(name)
    ) {
      context.report('header-parameter-ignored', node.path, `The header parameter ${name} is ignored`)
    }
  },
})

function reportDuplicates(context: Context, node: GrammarNode): void {
  const list = isObject(node.value) ? own(node.value, 'parameters') : undefined
  if (!isArray(list)) return
  const first = new Map<string, { readonly path: Path; readonly text: string }>()
  for (const [index, item] of list.entries()) {
    const parameter = context.resolve(item)
    if (parameter === undefined) continue
    const [name, place] = [own(parameter, 'name'), own(parameter, 'in')]
    if (typeof name !== 'string' || typeof place !== 'string') continue
    const path = below(node.path, 'parameters', String(index))
    const key = `${place} ${place === 'header' ? name.toLowerCase() : name}`
    const earlier = first.get(key)
    const text = JSON.stringify(parameter)
    if (earlier === undefined) {
      first.set(key, { path, text })
      continue
    }
    const related = [{ message: 'The first one', path: earlier.path }]
    const isSame = earlier.text === text
    const message = `The ${place} parameter ${name} is declared twice${isSame ? context.usedIn(path) : ''}`
    context.report(isSame ? 'parameter-repeated' : 'parameter-duplicate', path, message, { related })
  }
}

function checkSchema(context: Context, node: GrammarNode, value: JsonObject, what: string): void {
  const content: Json | undefined = own(value, 'content')
  const hasSchema = Object.hasOwn(value, 'schema')
  if (hasSchema && content !== undefined) {
    context.report('parameter-schema', node.path, `The ${what} has both schema and content`)
  } else if (!hasSchema && content === undefined) {
    context.report('parameter-schema', node.path, `The ${what} has neither schema nor content`, {
      remedy: 'Add schema.',
    })
  } else if (isObject(content) && Object.keys(content).length !== 1) {
    const message = `The content of the ${what} has ${Object.keys(content).length} media types`
    context.report('parameter-schema', below(node.path, 'content'), message, {
      remedy: 'Keep exactly one media type.',
    })
  }
}

/** OpenAPI 3.1.1, Style Values. `cookie` is from 3.2. */
const styles: Readonly<Record<string, readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
}

function checkStyle(context: Context, node: GrammarNode, value: JsonObject): void {
  const [style, place] = [own(value, 'style'), own(value, 'in')]
  if (typeof style !== 'string' || typeof place !== 'string' || !Object.hasOwn(styles, place)) return
  const allowed = styles[place] ?? []
  const type = own(context.resolve(own(value, 'schema')) ?? {}, 'type')
  const hasNoParts = typeof type === 'string' && type !== 'object' && type !== 'array'
  if (hasNoParts && allowed.includes(style) && /^(deepObject|.*Delimited)$/.test(style)) {
    const message = `The style ${style} is for lists or objects; the type of this parameter is ${type}`
    context.report('parameter-style', below(node.path, 'style'), message, { remedy: 'Remove style.' })
  }
  if (allowed.includes(style) || !Object.values(styles).flat().includes(style)) return
  const remedy = `Use ${allowed.join(', ')}, or remove style.`
  context.report('parameter-style', below(node.path, 'style'), `A ${place} parameter has no style ${style}`, {
    remedy,
  })
}
