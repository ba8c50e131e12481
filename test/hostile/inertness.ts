import ts from 'typescript'
import { canary } from './payloads.js'

/** The faults of a file generated from a hostile document. Empty if its text is inert. */
export function faultsOf(path: string, text: string): string[] {
  const found = /\.[jt]s$/.test(path)
    ? codeFaults(path, text)
    : path.endsWith('.json')
      ? jsonFaults(text)
      : []
  if (/\p{Cs}/u.test(text)) found.push('half a surrogate pair, which a file cannot hold')
  return found.map((fault) => `${path}: ${fault}`)
}

/** The only modules that generated code may import. */
const modules =
  /^(?:\.\/(?:client|express|handlers|jsonrpc|operations|types|validators)\.js|duet-runtime(?:\/client|\/schema|\/validation)?)$/

/** The parser's result for a file, with members that the declared type does not have. */
interface Parsed extends ts.SourceFile {
  readonly parseDiagnostics: readonly ts.Diagnostic[]
  readonly commentDirectives?: readonly unknown[]
  readonly checkJsDirective?: unknown
}

function codeFaults(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false) as Parsed
  const found = file.parseDiagnostics.map(
    ({ messageText, start }) =>
      `does not parse: ${ts.flattenDiagnosticMessageText(messageText, ' ')} at ${start}`,
  )
  const references = [file.referencedFiles, file.typeReferenceDirectives, file.libReferenceDirectives].flat()
  if (references.length > 0) found.push(`refers to ${references.map(({ fileName }) => fileName).join(', ')}`)
  if (file.commentDirectives !== undefined) found.push('tells the compiler to ignore something')
  if (file.checkJsDirective !== undefined) found.push('tells the compiler what to check')
  // Node reads these anywhere in a file (lib/internal/source_map/source_map_cache.js).
  if (/\/[*/][#@]\s+source(?:Mapping)?URL=/.test(text)) found.push('names a source map')
  if (/<\/script|<!--/i.test(text)) found.push('ends a script element')
  const hidden = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|(?!\n)\p{Cc}/u.exec(text)
  if (hidden !== null)
    found.push(`hides ${encodeURIComponent(hidden[0])} at ${hidden.index} (CVE-2021-42574)`)
  const visit = (node: ts.Node): void => {
    if (ts.isQualifiedName(node) && ts.isIdentifier(node.left) && node.left.text === 'globalThis') return
    if (ts.isIdentifier(node) && runs.has(node.text)) found.push(`runs ${node.text}`)
    if (ts.isImportTypeNode(node)) found.push('imports a type in place')
    if (node.kind === ts.SyntaxKind.ImportKeyword) found.push('imports at run time')
    if (
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
      node.moduleSpecifier !== undefined
    ) {
      const module = ts.isStringLiteral(node.moduleSpecifier) ? node.moduleSpecifier.text : ''
      if (!modules.test(module)) found.push(`imports ${module}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** Names that only a hostile text can bring into code. `globalThis.Blob` is a type that is printed. */
const runs = new Set([canary, 'globalThis'])

function jsonFaults(text: string): string[] {
  try {
    JSON.parse(text)
    return []
  } catch (error) {
    return [`is not JSON: ${String(error)}`]
  }
}

/** Characters that control a terminal, or change the order in which it shows text. */
export function steers(text: string): boolean {
  return /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text)
}
