import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { builtInErrors } from 'duet-runtime'
import { describe, expect, it, onTestFinished } from 'vitest'
import { examine } from '../../generator/cli/shared/examine.js'
import { assets, filesOf } from '../../generator/emit/version-files.js'
import { buildModel } from '../../generator/model/build/build.js'
import { fencesOf } from '../fences.js'

const page = readFileSync('docs/api.md', 'utf8')
const howTo = readdirSync('docs/how-to').map((name) => `docs/how-to/${name}`)

it('shows code that compiles', { tags: 'long' }, () => {
  mkdirSync('test/.data', { recursive: true })
  const folder = mkdtempSync(resolve('test/.data/api-docs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const path of ['docs/api.md', ...howTo]) {
    const [shared = '', ...examples] = codeOf(readFileSync(path, 'utf8'))
    for (const [index, example] of (examples.length === 0 ? [''] : examples).entries())
      writeFileSync(
        join(folder, `${basename(path, '.md')}-${index + 1}.ts`),
        `${shared}\n${example}\nexport {}\n`,
      )
  }
  const compilerOptions = { rootDir: '.', noEmit: true, composite: false, declaration: false }
  const config = { extends: resolve('tsconfig.base.json'), compilerOptions, include: ['*.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const { status, stdout } = spawnSync(
    process.execPath,
    [resolve('node_modules/typescript7/bin/tsc'), '-p', folder, '--noUnusedLocals', 'false'],
    { encoding: 'utf8' },
  )
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
})

describe.each(howTo)('%s', (path) => {
  const text = readFileSync(path, 'utf8')

  it('shows excerpts that equal their files', () => {
    for (const { target, text: code } of fencesOf(text)) {
      const file = /^\[(.+)\]$/.exec(target)?.[1]
      if (file !== undefined) expect(readFileSync(file, 'utf8'), `${path} shows ${file}`).toContain(code)
    }
  })

  it('shows documents without errors and warnings', async () => {
    for (const { kind, text: document } of fencesOf(text)) {
      if (kind !== 'yaml' || !document.startsWith('openapi:')) continue
      const folder = mkdtempSync(join(tmpdir(), 'duet-how-to-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      writeFileSync(join(folder, 'openapi.yaml'), document)
      expect((await examine('openapi.yaml', folder, { buildModel })).diagnostics).toEqual([])
    }
  })
})

/** A page's code. The first block is shared by the others. */
function codeOf(text: string): string[] {
  return fencesOf(text)
    .filter(({ kind, target }) => kind === 'ts' && target === '')
    .map(({ text: code }) => code)
}

it('names every option of createApi, createClient and a call', () => {
  const optionsOf = (file: string, interfaces: string[]) => {
    const text = readFileSync(file, 'utf8')
    return interfaces.flatMap((name) => {
      const body = new RegExp(`^(?:export )?interface ${name}\\b[^]*?^}`, 'm').exec(text)?.[0] ?? ''
      const found = [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, option = '']) => option)
      expect(found, name).not.toEqual([])
      return found
    })
  }
  const options = [
    ...optionsOf('runtime/server/api/options.ts', ['BasicOptions', 'AroundOption']),
    ...optionsOf('runtime/server/api/limits.ts', ['Limits']),
    ...optionsOf('runtime/server/api/api.ts', ['CallOptions']),
    ...optionsOf('runtime/versions.ts', ['VersionOptions']),
    ...optionsOf('runtime/http/version-headers.ts', ['Sunset']),
    ...optionsOf('runtime/usage/shadow-options.ts', ['ShadowOptions']),
    ...optionsOf('runtime/usage/recorder.ts', ['UsageOptions']),
    ...optionsOf('runtime/client/client-options.ts', ['ClientOptions', 'CallOptions', 'StreamOptions']),
  ]
  const code = codeOf(page).join('\n')
  expect(options.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([])
})

it('lists the built-in codes', () => {
  const rows = Object.entries<{ title: string; status: number; rpc: number; rpcStatus?: number }>(
    builtInErrors,
  ).map(([code, { title, status, rpc, rpcStatus }]) => {
    const http = rpcStatus === undefined ? '' : `, HTTP ${rpcStatus}`
    return `| \`${code}\` | ${title} | ${status} | ${rpc}${http} |`
  })
  const lines = page.split('\n')
  expect(rows.filter((row) => !lines.includes(row))).toEqual([])
  expect(lines.filter((line) => rows.includes(line))).toEqual(rows)
})

it('lists the generated files', () => {
  const text = readFileSync('docs/generate.md', 'utf8')
  const [, table = ''] = /\n\| file \| content \|\n([\s\S]*?)\n\n/.exec(text) ?? []
  const listed = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) => {
    const [first = '', ...others] = [...cell.matchAll(/`(.+?)`/g)].map(([, name = '']) => name)
    return [first, ...others.map((name) => (name.startsWith('.') ? first.replace(/\..*/, name) : name))]
  })
  expect(listed.sort()).toEqual([...filesOf(false), 'manifest.json', 'reference/'].sort())
  const uncopied = assets.filter((name) => !name.endsWith('.ts')).map((name) => `\`${name}\``)
  expect(text.replaceAll(/\s+/g, ' ')).toContain(`does not copy ${uncopied.join(', ')} and \`reference/\``)
})
