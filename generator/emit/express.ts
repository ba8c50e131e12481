import { code, type Name, raw, typeNamed, valueNamed } from '../code/code.js'
import { remark } from '../code/documentation.js'
import { literal } from '../code/literal.js'
import { compareText } from '../document/cursor.js'
import type { Model } from '../model/model.js'
import { SourceFile } from './file.js'
import type { Symbols } from './symbols.js'

export const routesName: Name = valueNamed('./express.js', 'routes')

/** `express.ts`: the REST routes, readable, sorted by path and method. */
export function emitExpress(model: Model, symbols: Symbols): string {
  const file = new SourceFile('./express.js', model)
  const route = typeNamed('duet-runtime', 'Route')
  const sorted = model.operations
    .filter(({ routed }) => routed)
    .sort((a, b) => compareText(a.rest.path, b.rest.path) || compareText(a.rest.method, b.rest.method))
  file.blank()
  file.doc('REST routes, sorted by path and method.')
  file.line`export const ${routesName}: readonly ${route}[] = [`
  file.indented(() => {
    for (const operation of sorted) {
      const { method, path, query } = operation.rest
      const fixed = query === undefined ? raw('') : code` query: ${literal(query)},`
      const { constant } = symbols.operation(operation)
      file.line`{ method: ${literal(method)}, path: ${literal(path)},${fixed} operation: ${constant} },${remark(operation)}`
    }
  })
  file.line`]`
  return file.toString()
}
