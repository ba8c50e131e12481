import { join } from 'node:path'
import { inject } from 'vitest'

/** A folder that is filled once by each worker of a run, to be copied. The end of the run removes it. */
export function template(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const made = templates.get(name) ?? filled(join(inject('scratch'), `${name}-${process.pid}`), fill)
  templates.set(name, made)
  return made
}

const templates = new Map<string, Promise<string>>()

async function filled(folder: string, fill: (folder: string) => Promise<void>): Promise<string> {
  await fill(folder)
  return folder
}
