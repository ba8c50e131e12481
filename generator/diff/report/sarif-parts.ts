import type { DocumentPosition } from '../change/change.js'
import { inert } from '../change/inert.js'

/** The location of a line in a file. */
export function physical({ file, line, column }: Omit<DocumentPosition, 'pointer'>): object {
  const region = { startLine: line, startColumn: column }
  return { physicalLocation: { artifactLocation: { uri: uri(file) }, region } }
}

/** A path as a URI reference. A relative path stays relative. */
function uri(path: string): string {
  const encoded = inert(path).replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/')
  return encoded.startsWith('/') ? `file://${encoded}` : encoded
}

/** The text without placeholders and links (SARIF 2.1.0, sections 3.11.5 and 3.11.6). */
export function message(text: string): string {
  return inert(text)
    .replace(/\{(\d+)\}/g, '{{$1}}')
    .replace(/\[(?=[^\]]*\]\()/g, '\\[')
}

/** A log with one run. `notice`: what the reader must know about the run. */
export function sarifLog(
  name: string,
  version: string,
  rules: readonly object[],
  results: readonly object[],
  notice: string | undefined,
): object {
  const notifications = [{ level: 'note', message: { text: notice } }]
  const invocation = { executionSuccessful: true, toolExecutionNotifications: notifications }
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name, version, rules } },
        columnKind: 'utf16CodeUnits',
        ...(notice !== undefined && { invocations: [invocation] }),
        results,
      },
    ],
  }
}
