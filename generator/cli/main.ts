import { processTerminal } from '../project/terminal.js'
import { runProgram } from './program.js'
import { runApart, runsTeamCode, terminalApart } from './shared/apart.js'

/**
 * Runs `duet` in this process. Returns the exit code.
 *
 * @param entry the module that runs it, which a thread of its own loads for code of a team
 */
export async function run(args: readonly string[], entry: string): Promise<number> {
  const apart = terminalApart()
  if (apart === undefined && runsTeamCode(args)) return await runApart(entry, args, processTerminal())
  const code = await runProgram(args, apart?.terminal ?? processTerminal(), {
    buildModel: async (...given) => (await import('../model/build/build.js')).buildModel(...given),
    emit: async (model, inputs, specPath, tools) => {
      const load = () => import('../emit/emit.js')
      const { emit } = await (tools?.timings?.measure('modules', load) ?? load())
      return emit(model, inputs, specPath, tools)
    },
    emitPackage: async (...given) => (await import('../emit/package.js')).emitPackage(...given),
  })
  apart?.end(code)
  return code
}
