import { STATUS_CODES } from 'node:http'
import { builtInErrors } from 'duet-runtime/catalogue'
import { isArray, isObject, own } from '../../document/json.js'
import { type Path, segmentsOf } from '../../document/pointer.js'
import { below, type Rule } from './rule.js'

interface Use {
  /** A response or a code of the first operation. */
  readonly path: Path
  readonly operation: string
  count: number
}

/** Statuses of declared errors that no code of the catalogue has, and of codes for which no response is declared. */
export const errorStatuses: Rule = (context) => {
  const catalogue = own(context.document.root, 'x-errors')
  const builtIn = new Map(Object.entries(builtInErrors).map(([code, { status }]) => [code, status]))
  const stated = Object.entries(isObject(catalogue) ? catalogue : {}).flatMap(([code, entry]) => {
    const status = isObject(entry) ? own(entry, 'status') : undefined
    return typeof status === 'number' ? [[code, status] as const] : []
  })
  const statuses = new Map([...builtIn, ...stated])
  const known = new Set(statuses.values())
  const uses = new Map<number, Use>()
  const undeclared = new Map<string, Use>()
  return {
    operation({ value, path }) {
      const segments = segmentsOf(path)
      // A service sends webhooks and callbacks, and receives the responses.
      if (segments[0] === 'webhooks' || segments.includes('callbacks')) return
      const responses = isObject(value) ? own(value, 'responses') : undefined
      const declared = Object.keys(isObject(responses) ? responses : {})
      const operation = `${segments.at(-1)?.toUpperCase()} ${segments.at(-2)}`
      for (const key of declared) {
        const status = Number(key)
        if (!/^[45]\d\d$/.test(key) || known.has(status)) continue
        count(uses, status, { path: below(path, 'responses', key), operation, count: 1 })
      }
      const codes = isObject(value) ? own(value, 'x-errors') : undefined
      for (const [index, code] of (isArray(codes) ? codes : []).entries()) {
        const status = typeof code === 'string' ? statuses.get(code) : undefined
        if (typeof code !== 'string' || status === undefined) continue
        const covering = [String(status), `${Math.floor(status / 100)}XX`, 'default']
        if (declared.some((key) => covering.includes(key))) continue
        count(undeclared, code, { path: below(path, 'x-errors', String(index)), operation, count: 1 })
      }
    },
    end() {
      for (const [status, { path, operation, count }] of uses) {
        const message = `No error code has the status ${status} of ${operation}${moreThan(count)}, so no handler can answer it`
        context.report('error-status-unreachable', path, message, { remedy: remedyFor(status) })
      }
      for (const [code, { path, operation, count }] of undeclared) {
        const message = `${operation}${moreThan(count)} can answer ${code}, but declare${count === 1 ? 's' : ''} no response ${statuses.get(code)}`
        context.report('error-status-undeclared', path, message)
      }
    },
  }
}

function count<Key>(uses: Map<Key, Use>, key: Key, first: Use): void {
  const use = uses.get(key)
  if (use === undefined) uses.set(key, first)
  else use.count++
}

function moreThan(count: number): string {
  return count === 1 ? '' : ` and ${count - 1} more operation${count === 2 ? '' : 's'}`
}

function remedyFor(status: number): string {
  const title = titles.get(status) ?? STATUS_CODES[status] ?? `Status ${status}`
  const code = title.toLowerCase().replace(/[^a-z0-9]+/g, '_')
  const own = `write ${code}: { title: ${title}, status: ${status}, rpc: ${status} } in x-errors at the root, and x-errors: [${code}] in the operation.`
  return status === 422
    ? `For invalid params, write validation_failed: { status: 422 } in x-errors at the root. For anything else, ${own}`
    : `${own.charAt(0).toUpperCase()}${own.slice(1)}`
}

/** Names of RFC 9110 that Node.js does not have in all of its versions. */
const titles = new Map([
  [413, 'Content Too Large'],
  [422, 'Unprocessable Content'],
])
