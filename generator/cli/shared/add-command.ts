import type { Command } from 'commander'
import type { Terminal } from '../../project/terminal.js'
import type { Stages } from './stages.js'

/** Adds a command to `duet`. The command passes its exit code to `exit`. */
export type AddCommand = (
  program: Command,
  terminal: Terminal,
  stages: Stages,
  exit: (code: number) => void,
) => void
