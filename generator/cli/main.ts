import { processTerminal } from '../project/terminal.js'
import { runProgram } from './program.js'

/** Runs `duet` in this process. Returns the exit code. */
export function run(args: readonly string[]): Promise<number> {
  return runProgram(args, processTerminal(), {
    buildModel: async (...given) => (await import('../model/build/build.js')).buildModel(...given),
    emit: async (model, inputs, specPath, tools) => {
      const load = () => import('../emit/emit.js')
      const { emit } = await (tools?.timings?.measure('modules', load) ?? load())
      return emit(model, inputs, specPath, tools)
    },
    emitPackage: async (...given) => (await import('../emit/package.js')).emitPackage(...given),
  })
}
