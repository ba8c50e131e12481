import pc from 'picocolors'
import { runProgram } from '../generator/cli/program.js'
import type { Stages } from '../generator/cli/stages.js'

/** Runs the program in this process, in a folder, and gives its exit code and what it has written. */
export async function runDuet(
  cwd: string,
  stages: Stages,
  ...args: string[]
): Promise<{ code: number; out: string; err: string }> {
  const written = { out: '', err: '' }
  const code = await runProgram(
    args,
    {
      cwd,
      out: (text) => {
        written.out += text
      },
      err: (text) => {
        written.err += text
      },
      interactive: false,
      columns: 100,
      outColours: pc.createColors(false),
      errColours: pc.createColors(false),
      debug: false,
    },
    stages,
  )
  return { code, ...written }
}
