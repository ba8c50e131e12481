import { Option } from 'commander'
import type { JsonObject } from '../document/document.js'
import { exitCode } from '../project/exit-code.js'
import { commandSpecs, projectSpecs } from '../project/project-specs.js'
import { jsonText, printable } from '../project/terminal.js'
import type { AddCommand } from './shared/add-command.js'
import { allowRemote, examine } from './shared/examine.js'
import { hasErrors, reportErrors } from './shared/report.js'
import { wholeNumber } from './shared/whole-number.js'

interface McpCommandOptions {
  readonly sizes?: true
  readonly maxBytes?: number
  readonly format: 'text' | 'json'
  readonly allowRemote?: true
}

/** `duet mcp`: the tools that agents see, and how much of their context these take. */
export const addMcp: AddCommand = (program, terminal, stages, exit) => {
  program
    .command('mcp')
    .summary('the tools that agents see, with their sizes')
    .description(
      'Lists the tools of MCP that documents describe by x-mcp. A model reads all of them in each session.',
    )
    .argument('[spec...]', 'files, or versions under spec/ (default: specs of the config file, else all)')
    .option('--sizes', 'sort by size')
    .addOption(
      new Option('--max-bytes <bytes>', 'fail if the tools of a document are larger').argParser(
        wholeNumber(1, 9, 'Write a whole number of bytes from 1.'),
      ),
    )
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
    .option(...allowRemote)
    .addHelpText('after', examples)
    .action(async (specs: string[], options: McpCommandOptions) => {
      const { cwd } = terminal
      const files = specs.length > 0 ? commandSpecs(specs, cwd) : projectSpecs(cwd)
      const examined = await Promise.all(files.map((file) => examine(file, cwd, stages, options)))
      const wrong = examined.filter(hasErrors)
      if (wrong.length > 0) return exit(reportErrors(wrong, options.format === 'json', terminal))
      const { toolsOf } = await import('../mcp/tool-list.js')
      const found = examined.flatMap(({ file, model }) =>
        model === undefined
          ? []
          : [{ file, version: model.version, ...sized(toolsOf(model), options.sizes === true) }],
      )
      const unbounded = new Set(
        examined.filter(({ model }) => model?.toolBytes === undefined).map(({ file }) => file),
      )
      for (const { file, bytes } of found)
        if (bytes > manyBytes && unbounded.has(file))
          terminal.err(
            `warning: ${printable(file)}: a model reads ${bytes} bytes of tools in each session. With \`x-mcp: { maxBytes: ${suggestedBytes} }\` at the root of the document it gets three tools that search the others.\n`,
          )
      if (options.format === 'json') terminal.out(jsonText(found))
      else terminal.out(found.map(textOf).join('\n'))
      const large = found.filter(({ bytes }) => bytes > (options.maxBytes ?? Number.POSITIVE_INFINITY))
      for (const { file, bytes } of large)
        terminal.err(`${printable(file)}: the tools have ${bytes} bytes, more than ${options.maxBytes}.\n`)
      exit(large.length > 0 ? exitCode.failed : exitCode.fine)
    })
}

const examples = `
Examples:
  duet mcp                               the tools of every version under spec/
  duet mcp 1.1.0 --sizes                 those of one version, the largest first
  duet mcp api.yaml --max-bytes 40000    for CI: fails if a model reads more
  duet mcp --format json                 for programs

Exit codes: 0 fine, 1 larger than --max-bytes, 2 wrong usage, 3 errors in a document.
`

/** About a quarter of a small model's context. */
const manyBytes = 100_000
const suggestedBytes = 40_000

interface SizedTool {
  readonly name: string
  readonly bytes: number
  readonly annotations: JsonObject
}

interface SizedTools {
  readonly file: string
  readonly version: string
  readonly bytes: number
  readonly tools: readonly SizedTool[]
}

/** Sizes as a response of `tools/list` has them. */
function sized(tools: readonly JsonObject[], isBySize: boolean): Pick<SizedTools, 'bytes' | 'tools'> {
  const each = tools.map((tool) => ({
    name: String(tool.name),
    bytes: Buffer.byteLength(JSON.stringify(tool)),
    annotations: tool.annotations as JsonObject,
  }))
  if (isBySize) each.sort((a, b) => b.bytes - a.bytes)
  return { bytes: each.reduce((sum, { bytes }) => sum + bytes, 0), tools: each }
}

function textOf({ file, version, bytes, tools }: SizedTools): string {
  const head = `${printable(file)} (${printable(version)}): ${tools.length} tools, ${bytes} bytes`
  const width = Math.max(0, ...tools.map(({ name }) => name.length))
  const rows = tools.map(
    ({ name, bytes: size, annotations }) =>
      `  ${name.padEnd(width)}  ${String(size).padStart(7)}  ${hintOf(annotations)}`,
  )
  return `${[head, ...rows].join('\n')}\n`
}

function hintOf({ readOnlyHint, destructiveHint, idempotentHint }: JsonObject): string {
  if (readOnlyHint === true) return 'reads'
  const kind = destructiveHint === true ? 'changes or removes' : 'adds'
  return idempotentHint === true ? `${kind}, may be repeated` : kind
}
