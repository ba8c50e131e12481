import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Contract } from 'duet-runtime'
import { GuardedExpression } from '../patterns/guarded-expression.js'
import { transpile } from '../project/modules/transpile.js'

/**
 * The contract of a version that is not on disk. Runs the generated code from a temporary folder and removes
 * it before returning, so a mock validates and routes with exactly the code that a service imports.
 *
 * @param files result of `emit`
 */
export async function contractOf(files: ReadonlyMap<string, string>): Promise<Contract> {
  const folder = mkdtempSync(join(tmpdir(), 'duet-mock-'))
  try {
    for (const [path, text] of files) {
      const module = moduleOf(path, text)
      if (module !== undefined) writeFileSync(join(folder, module.path), module.text)
    }
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
    linkRuntime(folder)
    const { contract }: { contract: Contract } = createRequire(import.meta.url)(join(folder, 'index.js'))
    return {
      ...contract,
      openapi: parsed(files, 'openapi.json'),
      openrpc: parsed(files, 'openrpc.json'),
      ...(contract.mcp && { mcp: parsed(files, 'mcp.json') }),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Modules with types only. They are large and contain no code to run. */
const typesAlone = new Set(['handlers.ts', 'types.ts'])

function moduleOf(path: string, text: string): { path: string; text: string } | undefined {
  if (path.includes('/') || path === 'client.ts' || /\.d\.ts$/.test(path)) return undefined
  if (path === 'validators.js') return { path, text: withGuard(text) }
  if (path.endsWith('.js')) return { path, text }
  if (!path.endsWith('.ts')) return undefined
  const module = typesAlone.has(path) ? 'export {}\n' : transpile(text, path)
  return { path: path.replace(/\.ts$/, '.js'), text: module }
}

const guard = Symbol.for('duet.mock.RegExp')

/** A mock generates texts and tests them, so it must guard against slow patterns of the document. */
function withGuard(validators: string): string {
  Object.assign(globalThis, { [guard]: GuardedExpression })
  return `const RegExp = globalThis[Symbol.for(${JSON.stringify(guard.description)})]\n${validators}`
}

/** Generated code imports the runtime by name. This makes that name resolve to the generator's own runtime. */
function linkRuntime(folder: string): void {
  const runtime = dirname(createRequire(import.meta.url).resolve('duet-runtime/package.json'))
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  symlinkSync(runtime, join(folder, 'node_modules/duet-runtime'), 'junction')
}

function parsed(files: ReadonlyMap<string, string>, path: string): () => unknown {
  let value: unknown
  return () => {
    value ??= JSON.parse(files.get(path) ?? 'null')
    return value
  }
}
