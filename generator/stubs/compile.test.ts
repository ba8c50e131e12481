import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { compile } from './compile.js'

let cwd: string

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'duet-compile-'))
  write('package.json', '{ "type": "module" }')
})

afterEach(() => rmSync(cwd, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true })
  writeFileSync(join(cwd, path), text)
}

// The library takes longer than everything else here.
const options = { module: 'nodenext', strict: true, noLib: true, types: [] }

const check = (...paths: string[]) => compile(join(cwd, 'src/handlers'), paths, 'shop-api/1.0.0')

it('gives each type error of the handlers its place, and leaves other files alone', async () => {
  write('tsconfig.json', JSON.stringify({ compilerOptions: options, include: ['src'] }))
  write('src/other.ts', "export const wrong: number = 'a'\n")
  write('src/handlers/orders.ts', "const fine = 1\nexport const id: number = fine && 'a'\n")
  expect(await check('orders.ts')).toEqual({
    errors: [
      {
        ...{ file: 'orders.ts', line: 2, column: 14, code: 'TS2322' },
        message: "Type 'string' is not assignable to type 'number'.",
      },
    ],
  })
})

it('accepts a stub that uses none of its parameters, and files next to the handlers', async () => {
  const strict = { ...options, noUnusedParameters: true, noUnusedLocals: true, composite: true }
  write('tsconfig.json', JSON.stringify({ compilerOptions: strict, include: ['src'] }))
  write('src/storage.ts', 'export const first: number = 1\n')
  const stub = 'export const orders = { get(params: number) {}, first }\n'
  write('src/handlers/orders.ts', `import { first } from '../storage.js'\n${stub}`)
  expect(await check('orders.ts')).toEqual({ errors: [] })
})

it('reads the sources of a referenced project that is not built', async () => {
  const references = [{ path: 'generated' }]
  write('tsconfig.json', JSON.stringify({ compilerOptions: options, include: ['src'], references }))
  write(
    'generated/tsconfig.json',
    JSON.stringify({ compilerOptions: { ...options, composite: true, rootDir: '.', outDir: 'dist' } }),
  )
  const exported = { types: './dist/index.d.ts', default: './dist/index.js' }
  write('generated/package.json', JSON.stringify({ name: 'shop-api', exports: { './1.0.0': exported } }))
  write('generated/index.ts', 'export const limit: number = 1\n')
  mkdirSync(join(cwd, 'node_modules'))
  symlinkSync(join(cwd, 'generated'), join(cwd, 'node_modules/shop-api'), 'junction')
  write('src/handlers/a.ts', "import { limit } from 'shop-api/1.0.0'\nexport const text: string = limit\n")
  expect(await check('a.ts')).toMatchObject({ errors: [{ file: 'a.ts', line: 2, code: 'TS2322' }] })
})

it('explains why types are unknown', async () => {
  write('src/handlers/a.ts', "import { limit } from 'shop-api/1.0.0'\nexport const text: string = limit\n")
  expect(await check('a.ts')).toEqual({ unchecked: 'no tsconfig.json was found' })
  write('tsconfig.json', JSON.stringify({ compilerOptions: options, include: ['src'] }))
  expect(await check('a.ts')).toEqual({ unchecked: 'shop-api/1.0.0 is not installed' })
})
