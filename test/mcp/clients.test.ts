import {
  Client as CurrentClient,
  StreamableHTTPClientTransport as CurrentTransport,
} from '@modelcontextprotocol/client'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Served, serveNode } from '../../runtime/fixtures/serve.js'
import { toolsApi } from './service.js'

let served: Served
beforeAll(async () => {
  served = await serveNode(await toolsApi())
})
afterAll(() => served.close())

interface Caller {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(
    call: { name: string; arguments?: Record<string, unknown> },
    ...options: unknown[]
  ): Promise<Record<string, unknown>>
  close(): Promise<void>
}

const about = { name: 'test', version: '1.0.0' }
const requestInit = { headers: { 'X-Api-Key': 'good' } }
const address = () => new URL(`http://127.0.0.1:${served.port}/mcp`)

const connections: Record<string, () => Promise<Caller>> = {
  async 'the SDK of 2025-11-25'() {
    const client = new OlderClient(about)
    await client.connect(new OlderTransport(address(), { requestInit }) as never)
    return client as unknown as Caller
  },
  async 'the SDK of 2026-07-28'() {
    const client = new CurrentClient(about, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    await client.connect(new CurrentTransport(address(), { requestInit }))
    return client as unknown as Caller
  },
  async 'the SDK of 2026-07-28 as it comes'() {
    const client = new CurrentClient(about)
    await client.connect(new CurrentTransport(address(), { requestInit }))
    return client as unknown as Caller
  },
}

describe.each(Object.entries(connections))('%s', (title, connect) => {
  let client: Caller
  beforeAll(async () => {
    client = await connect()
  })
  afterAll(() => client.close())

  it('lists the tools', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      ...['clients_create', 'clients_delete', 'clients_get', 'clients_list', 'test_audio_content'],
      ...['test_embedded_resource', 'test_error_handling', 'test_image_content', 'test_logging_tool'],
      ...['test_simple_text', 'test_streaming_elicitation', 'test_tool_with_progress'],
    ])
  })

  it('calls a tool', async () => {
    const { structuredContent, isError } = await client.callTool({
      name: 'clients_get',
      arguments: { id: 1 },
    })
    expect([structuredContent, isError ?? false]).toEqual([{ id: 1, name: 'Ann' }, false])
  })

  it('gets the default of a param, and the value that is fixed', async () => {
    const { structuredContent } = await client.callTool({ name: 'clients_list' })
    expect(structuredContent).toEqual({
      result: [
        { id: 1, name: 'Ann' },
        { id: 2, name: 'Bob' },
      ],
    })
  })

  it('learns what is wrong with its arguments', async () => {
    const answer = await client.callTool({
      name: 'clients_list',
      arguments: { limit: 0, order: 'id', page: 1 },
    })
    expect(answer).toMatchObject({ isError: true, content: [{ type: 'text' }] })
    const [{ text }] = answer.content as [{ text: string }]
    expect(text.split('\n').sort()).toEqual([
      '/limit must be >= 1',
      '/order must NOT have additional properties',
      '/page must NOT have additional properties',
      'Validation failed (validation_failed)',
    ])
  })

  it('learns of a problem', async () => {
    const answer = await client.callTool({ name: 'clients_get', arguments: { id: 9 } })
    expect(answer).toMatchObject({
      isError: true,
      content: [{ text: 'Not found (not_found): No client 9.' }],
    })
  })

  it('gets no word of an unexpected error', async () => {
    const answer = await client.callTool({ name: 'test_error_handling', arguments: {} })
    expect(answer.isError).toBe(true)
    expect(JSON.stringify(answer)).not.toContain('secret')
  })

  it('gets nothing of a result that has none', async () => {
    const { content, structuredContent } = await client.callTool({
      name: 'clients_delete',
      arguments: { id: 1 },
    })
    expect([content, structuredContent]).toEqual([[], undefined])
  })

  it('gets bytes by their media types', async () => {
    const contents = await Promise.all(
      ['test_image_content', 'test_audio_content', 'test_embedded_resource'].map((name) =>
        client.callTool({ name }),
      ),
    )
    expect(contents.flatMap(({ content }) => content)).toEqual([
      { type: 'image', data: 'AQID', mimeType: 'image/png' },
      { type: 'audio', data: 'AQID', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'result:files.get', mimeType: 'application/pdf', blob: 'AQID' } },
    ])
  })

  it('learns of the progress of a stream, and gets it whole', async () => {
    const seen: unknown[] = []
    const options = { onprogress: (progress: object) => seen.push(progress) }
    const given = title.includes('2025') ? [undefined, options] : [options]
    const { content } = await client.callTool({ name: 'test_tool_with_progress' }, ...given)
    const lines = [1, 2, 3].map((step) => JSON.stringify({ step }))
    expect(content).toEqual([{ type: 'text', text: lines.map((line) => `${line}\n`).join('') }])
    expect(seen).toEqual(lines.map((message, index) => ({ progress: index + 1, message })))
  })

  it('cannot call an operation that is no tool', async () => {
    await expect(client.callTool({ name: 'clients_replace', arguments: { id: 1 } })).rejects.toThrow(
      'There is no tool "clients_replace"',
    )
  })
})
