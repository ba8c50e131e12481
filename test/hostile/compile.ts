import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** A folder of generated versions, checked and built by one run of the compiler. */
export class Workshop {
  constructor(readonly folder: string = mkdtempSync(join(tmpdir(), 'duet-documents-'))) {
    symlinkSync(resolve('node_modules'), join(this.folder, 'node_modules'))
    this.write('package.json', '{ "type": "module" }')
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true })
    writeFileSync(join(this.folder, path), text)
  }

  writeAll(folder: string, files: ReadonlyMap<string, string>): void {
    for (const [path, text] of files) this.write(`${folder}/${path}`, text)
  }

  /**
   * Builds into `built/`, under the strictest settings of generated packages. Returns the compiler's messages.
   */
  compile(typescript: 'typescript' | 'typescript7' = 'typescript7'): string {
    const compilerOptions = {
      ...{
        target: 'ES2023',
        lib: ['ES2023'],
        module: 'NodeNext',
        moduleResolution: 'NodeNext',
        strict: true,
      },
      ...{ noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, verbatimModuleSyntax: true },
      ...{ isolatedModules: true, skipLibCheck: true, types: ['node'], rootDir: 'src', outDir: 'built' },
    }
    this.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src/**/*.ts'] }))
    const compiler = resolve('node_modules', typescript, 'bin/tsc')
    const { stdout, stderr } = spawnSync(process.execPath, [compiler, '-p', this.folder], {
      encoding: 'utf8',
    })
    for (const name of readdirSync(join(this.folder, 'src'), { recursive: true }).map(String)) {
      if (/(?<!\.ts)(?:\.js|\.json)$/.test(name))
        cpSync(join(this.folder, 'src', name), join(this.folder, 'built', name))
    }
    return (stdout + stderr).trim()
  }

  /** Runs a module of the folder in a separate process. */
  run(path: string): { status: number | null; output: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--enable-source-maps', path], {
      cwd: this.folder,
      encoding: 'utf8',
    })
    return { status, output: stdout + stderr }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
