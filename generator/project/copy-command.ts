import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { displayPath } from '../document/file.js'

/**
 * The command that completes a build by tsc, which compiles a folder of generated code but copies no JavaScript and no
 * JSON. Undefined if the nearest tsconfig.json writes nothing, or the files are already where tsc puts the others.
 *
 * @param folder absolute path of the generated code, inside `cwd`
 */
export function copyCommand(folder: string, cwd: string): string | undefined {
  const project = projectOf(folder, cwd)
  if (project === undefined) return undefined
  const { outDir, rootDir } = project
  // Without rootDir, the compiler's versions differ.
  const roots = rootDir === undefined ? [project.folder, join(project.folder, 'src')] : [rootDir]
  const targets = roots
    .map((root) => relative(root, folder))
    .filter((path) => path !== '' && !path.startsWith('..'))
    .map((path) => join(outDir, path))
  const target = targets.find((one) => existsSync(join(one, 'index.js'))) ?? targets.at(-1)
  if (target === undefined || existsSync(join(target, 'validators.js'))) return undefined
  const [from, to] = [folder, target].map((path) => `'${displayPath(path, cwd)}'`)
  return `node -e "fs.cpSync(${from}, ${to}, { recursive: true, filter: (path) => path.endsWith('.ts') === false })"`
}

interface Project {
  readonly folder: string
  readonly outDir: string
  readonly rootDir: string | undefined
}

function projectOf(start: string, cwd: string): Project | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const text = configIn(folder)
    if (text !== undefined) {
      const [outDir, rootDir] = ['outDir', 'rootDir'].map((name) => optionIn(text, name))
      const isSilent = outDir === undefined || /"(?:noEmit|emitDeclarationOnly)"\s*:\s*true/.test(text)
      if (isSilent) return undefined
      return { folder, outDir: resolve(folder, outDir), rootDir: rootDir && resolve(folder, rootDir) }
    }
    if (folder === cwd || folder === dirname(folder)) return undefined
  }
}

/** The text of a tsconfig.json without comments: `tsc --init` writes options that are not set as comments. */
function configIn(folder: string): string | undefined {
  const file = join(folder, 'tsconfig.json')
  if (!existsSync(file)) return undefined
  return readFileSync(file, 'utf8').replaceAll(/"(?:[^"\\]|\\.)*"|\/\*[\s\S]*?\*\/|\/\/.*/g, (found) =>
    found.startsWith('"') ? found : '',
  )
}

function optionIn(text: string, name: string): string | undefined {
  return new RegExp(`"${name}"\\s*:\\s*"([^"]*)"`).exec(text)?.[1]
}
