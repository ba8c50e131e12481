import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import type TypeScript from 'typescript'

/** An error that the compiler finds in a handler file. */
interface TypeFault {
  /** Path within the handler folder. */
  readonly file: string
  readonly line: number
  readonly column: number
  /** `TS2345`. */
  readonly code: string
  readonly message: string
}

/** The type errors of a handler folder, or why they are not known. */
export type Compiled = { readonly errors: readonly TypeFault[] } | { readonly unchecked: string }

/**
 * Checks the types of handler files with the nearest tsconfig.json and the project's own TypeScript, or duet's if the
 * project has none. Reads the sources of referenced projects, so nothing has to be built. Writes nothing.
 *
 * @param folder absolute path
 * @param paths files to check, within the folder
 * @param api module by which a file of the folder's top level imports the generated package
 */
export async function compile(folder: string, paths: readonly string[], api: string): Promise<Compiled> {
  const file = configOf(folder)
  if (file === undefined) return { unchecked: 'no tsconfig.json was found' }
  const ts = compilerOf(folder)
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} }
  const config = ts.getParsedCommandLineOfConfigFile(file, overrides, host)
  if (config === undefined) return { unchecked: `${file} cannot be read` }
  const files = paths.map((path) => ts.sys.resolvePath(join(folder, path)))
  // Declarations of the project may be global.
  const declarations = config.fileNames.filter((name) => /\.d\.[cm]?ts$/.test(name))
  const program = ts.createProgram({
    rootNames: [...declarations, ...files],
    options: config.options,
    ...(config.projectReferences && { projectReferences: config.projectReferences }),
    host: hostOf(ts, config.options),
  })
  const errors = files.flatMap((path) => {
    const source = program.getSourceFile(path)
    if (source === undefined) return []
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
    return found.map((diagnostic) => faultOf(ts, diagnostic, source, folder))
  })
  const absent = errors.find(({ code, message }) => code === 'TS2307' && message.includes(`'${api}'`))
  return absent === undefined ? { errors } : { unchecked: `${api} is not installed` }
}

const overrides = {
  noEmit: true,
  // An unfinished stub does not use its parameters.
  ...{ noUnusedLocals: false, noUnusedParameters: false },
  // Composite projects must list every file; only the handlers are checked here.
  ...{ composite: false, incremental: false },
}

/** The nearest tsconfig.json. */
function configOf(folder: string): string | undefined {
  const file = join(folder, 'tsconfig.json')
  if (existsSync(file)) return file
  const above = dirname(folder)
  return above === folder ? undefined : configOf(above)
}

function compilerOf(folder: string): typeof TypeScript {
  try {
    const own: typeof TypeScript = createRequire(join(folder, 'handlers.js'))('typescript')
    // TypeScript 7, written in Go, has no such function.
    if (typeof own.createProgram === 'function') return own
  } catch {
    // The project has no TypeScript.
  }
  return createRequire(import.meta.url)('typescript')
}

function hostOf(ts: typeof TypeScript, options: TypeScript.CompilerOptions): TypeScript.CompilerHost {
  // Editors set this too: a reference leads to sources, so the project need not be built.
  const host: TypeScript.CompilerHost & { useSourceOfProjectReferenceRedirect?: () => boolean } =
    ts.createCompilerHost(options)
  host.useSourceOfProjectReferenceRedirect = () => true
  return host
}

function faultOf(
  ts: typeof TypeScript,
  { start = 0, code, messageText }: TypeScript.Diagnostic,
  source: TypeScript.SourceFile,
  folder: string,
): TypeFault {
  const { line, character } = source.getLineAndCharacterOfPosition(start)
  return {
    file: relative(folder, source.fileName).split(sep).join('/'),
    line: line + 1,
    column: character + 1,
    code: `TS${code}`,
    message: ts.flattenDiagnosticMessageText(messageText, '\n'),
  }
}
