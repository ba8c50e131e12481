// @module-tag long

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { generate } from '../scenarios/scenario.js'
import { document } from './service.js'

const folder = fileURLToPath(new URL('.', import.meta.url))

test.each([
  ['bigint', '1n', '2n', "'1'"],
  ['string', "'1'", "'2'", '1n'],
] as const)('handlers and clients compile with %s, and with nothing else', (mode, one, two, wrong) =>
  expect(
    errorsOf(
      mode,
      `
import type { EchoHandlers } from './handlers.js'
import type { Client } from './client.js'
import type { Id, Node } from './types.js'

export const echo: EchoHandlers<string> = {
  everything: ({ after, many, kind, bounded }) => {
    const sure: ${mode} = after
    const list: (${mode} | null)[] = many ?? []
    const listed: ${one} | ${two} | undefined = kind
    const both: ${mode} | undefined = bounded
    return { after: sure, many: list, kind: listed ?? ${one}, bounded: both ?? ${one}, plain: 1.5 }
  },
  form: ({ id }) => ({ id }),
  whole: ({ body }) => body,
}
export async function call(client: Client): Promise<Id> {
  for await (const { id } of client.streams.lines({ from: ${one} })) return id satisfies ${mode}
  const node: Node = { id: ${one}, below: [{ id: ${two} }] }
  // @ts-expect-error an int64 is a ${mode}
  await client.echo.whole({ body: ${wrong} })
  // @ts-expect-error an int64 is a ${mode}
  await client.echo.whole({ body: 1 })
  return client.echo.whole({ body: node.id })
}
`,
    ),
  ).resolves.toBe(''),
)

/** What the strict compiler says about the output under a setting, and about a file next to it. */
async function errorsOf(mode: 'bigint' | 'string', beside: string): Promise<string> {
  const { files } = await generate(document, undefined, mode)
  mkdirSync(join(folder, '.data'), { recursive: true })
  const directory = mkdtempSync(join(folder, '.data', 'types-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  for (const [path, text] of files) if (!path.includes('/')) writeFileSync(join(directory, path), text)
  writeFileSync(join(directory, 'team.ts'), beside)
  const compilerOptions = { rootDir: '.', noEmit: true, composite: false, declaration: false }
  const config = { extends: resolve('tsconfig.base.json'), compilerOptions, include: ['*.ts'] }
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(config))
  const compiler = resolve('node_modules/typescript7/bin/tsc')
  return spawnSync(process.execPath, [compiler, '-p', directory], { encoding: 'utf8' }).stdout
}
