import { code, type Name, typeNamed, valueNamed } from '../code/code.js'
import { remark } from '../code/documentation.js'
import { key } from '../code/literal.js'
import type { Model } from '../model/model.js'
import { SourceFile } from './file.js'
import { printRecord } from './operations.js'
import type { Symbols } from './symbols.js'

export const methodsName: Name = valueNamed('./jsonrpc.js', 'methods')

/** `jsonrpc.ts`: the JSON-RPC methods, readable, sorted by name. */
export function emitJsonRpc(model: Model, symbols: Symbols): string {
  const file = new SourceFile('./jsonrpc.js', model)
  const operation = typeNamed('duet-runtime', 'Operation')
  const offered = model.operations.filter(({ rpc }) => rpc !== false)
  const entries = offered.map((entry) => code`${key(entry.name)}: ${symbols.operation(entry).constant}`)
  file.blank()
  file.doc('JSON-RPC methods, sorted by name.')
  printRecord(
    file,
    code`export const ${methodsName}: Readonly<Record<string, ${operation}>> =`,
    entries,
    offered.map(remark),
  )
  return file.toString()
}
