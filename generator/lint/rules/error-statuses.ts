import { STATUS_CODES } from 'node:http'
import { builtInErrors } from 'duet-runtime/catalogue'
import { isObject, own } from '../../document/json.js'
import { type Path, segmentsOf } from '../../document/pointer.js'
import { below, type Rule } from './rule.js'

interface Use {
  /** The response of the first operation that declares the status. */
  readonly path: Path
  readonly operation: string
  count: number
}

/** Statuses of declared errors that no code of the catalogue has. */
export const errorStatuses: Rule = (context) => {
  const catalogue = own(context.document.root, 'x-errors')
  const builtIn = new Map(Object.entries(builtInErrors).map(([code, { status }]) => [code, status]))
  const stated = Object.entries(isObject(catalogue) ? catalogue : {}).flatMap(([code, entry]) => {
    const status = isObject(entry) ? own(entry, 'status') : undefined
    return typeof status === 'number' ? [[code, status] as const] : []
  })
  const known = new Set(new Map([...builtIn, ...stated]).values())
  const uses = new Map<number, Use>()
  return {
    operation({ value, path }) {
      const segments = segmentsOf(path)
      // A service sends webhooks and callbacks, and receives the responses.
      if (segments[0] === 'webhooks' || segments.includes('callbacks')) return
      const responses = isObject(value) ? own(value, 'responses') : undefined
      for (const key of Object.keys(isObject(responses) ? responses : {})) {
        const status = Number(key)
        if (!/^[45]\d\d$/.test(key) || known.has(status)) continue
        const use = uses.get(status)
        if (use !== undefined) use.count++
        else {
          const operation = `${segments.at(-1)?.toUpperCase()} ${segments.at(-2)}`
          uses.set(status, { path: below(path, 'responses', key), operation, count: 1 })
        }
      }
    },
    end() {
      for (const [status, { path, operation, count }] of uses) {
        const more = count === 1 ? '' : ` and ${count - 1} more operation${count === 2 ? '' : 's'}`
        const message = `No error code has the status ${status} of ${operation}${more}, so no handler can answer it`
        context.report('error-status-unreachable', path, message, { remedy: remedyFor(status) })
      }
    },
  }
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
