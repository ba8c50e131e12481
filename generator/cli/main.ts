import { emit } from '../emit/emit.js'
import { emitPackage } from '../emit/package.js'
import { buildModel } from '../model/build.js'
import { runProgram } from './program.js'
import { processTerminal } from './terminal.js'

/** Runs `duet` in this process. Returns the exit code. */
export function run(args: readonly string[]): Promise<number> {
  return runProgram(args, processTerminal(), { buildModel, emit, emitPackage })
}
