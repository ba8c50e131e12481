import { expect, it } from 'vitest'
import { toolsRun } from './tools-run.js'

// What `duet test` finds in a server's list of tools.

const { callOnly, report, spoiled } = toolsRun()

/** The service, with another list of tools. */
async function listing(change: (tools: Listed[]) => Listed[]): Promise<string[]> {
  callOnly('clients.get')
  const target = await spoiled({
    answered: (passing, _, { pathname }) => {
      if (pathname !== '/mcp' || !passing.body.includes('"tools":')) return
      const envelope = JSON.parse(passing.body)
      envelope.result.tools = change(envelope.result.tools)
      passing.body = JSON.stringify(envelope)
    },
  })
  const found = (await report(target, '--protocol', 'mcp', '--cases', '1')).findings
  return found
    .filter(({ kind }) => kind.startsWith('tool-'))
    .map(({ kind, operation, message }) => `${kind} ${operation}: ${message}`)
}

interface Listed {
  readonly name: string
  readonly inputSchema: { readonly properties: object; readonly required?: readonly string[] }
}

it.each<[string, (tool: Listed) => Listed[], string[]]>([
  [
    'misses a tool',
    (tool) => (tool.name === 'clients_get' ? [] : [tool]),
    ['tool-missing clients.get: tools/list has no clients_get, the tool of clients.get'],
  ],
  [
    'has another tool',
    (tool) => (tool.name === 'clients_get' ? [tool, { ...tool, name: 'clients_find' }] : [tool]),
    ['tool-undeclared clients_find: tools/list has clients_find, which is not a tool of the document'],
  ],
  [
    'has a narrower schema',
    (tool) =>
      tool.name === 'clients_list'
        ? [withProperties(tool, { limit: { type: 'integer', maximum: 9 } })]
        : [tool],
    [
      'tool-differs clients.list: The input schema of clients_list refuses arguments that the document allows: {"limit":10}',
    ],
  ],
  [
    'has a wider schema',
    (tool) => (tool.name === 'clients_get' ? [withProperties(tool, { id: {} })] : [tool]),
    [
      'tool-differs clients.get: The input schema of clients_get accepts arguments that the document forbids: {"id":null}',
    ],
  ],
  [
    'writes a schema in another way, and leaves it open',
    (tool) => {
      const { inputSchema, ...others } = tool
      const { additionalProperties: _, ...open } = inputSchema as Listed['inputSchema'] & JsonSchema
      return [{ ...others, inputSchema: { allOf: [open] } as unknown as Listed['inputSchema'] }]
    },
    [],
  ],
])('compares the list of a server that %s', async (_, change, expected) => {
  expect(await listing((tools) => tools.flatMap(change))).toEqual(expected)
})

interface JsonSchema {
  readonly additionalProperties?: boolean
}

function withProperties(tool: Listed, properties: object): Listed {
  const { inputSchema } = tool
  return {
    ...tool,
    inputSchema: { ...inputSchema, properties: { ...inputSchema.properties, ...properties } },
  }
}
