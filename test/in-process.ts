import pc from 'picocolors'
import { runProgram } from '../generator/cli/program.js'
import type { Stages } from '../generator/cli/shared/stages.js'
import { emit } from '../generator/emit/emit.js'
import { emitPackage } from '../generator/emit/package.js'
import { buildModel } from '../generator/model/build/build.js'
import type { Terminal } from '../generator/project/terminal.js'

/** The output of a command. */
export interface Written {
  out: string
  err: string
}

/** The stages of the program itself. */
export const allStages: Stages = { buildModel, emit, emitPackage }

/** A terminal that behaves like a pipe, and its recorded output. */
export function testTerminal(
  cwd: string,
  { columns = 100, debug = false }: { readonly columns?: number; readonly debug?: boolean } = {},
): { readonly terminal: Terminal; readonly written: Written } {
  const written = { out: '', err: '' }
  const colours = pc.createColors(false)
  const terminal: Terminal = {
    ...{ cwd, interactive: false, columns, outColours: colours, errColours: colours, debug },
    out: (text) => {
      written.out += text
    },
    err: (text) => {
      written.err += text
    },
  }
  return { terminal, written }
}

/** Runs `duet` with arguments in this process. Returns the exit code and the output. */
export async function runDuet(
  cwd: string,
  args: readonly string[],
  { stages = allStages, ...options }: Parameters<typeof testTerminal>[1] & { readonly stages?: Stages } = {},
): Promise<Written & { readonly code: number }> {
  const { terminal, written } = testTerminal(cwd, options)
  const code = await runProgram(args, terminal, stages)
  return { code, ...written }
}
