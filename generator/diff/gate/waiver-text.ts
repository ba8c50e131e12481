import type { Change, Comparison } from '../change/change.js'
import { inert } from '../change/inert.js'

/** Entries for a file of waivers, to be filled in by the person who accepts the changes. */
export function waiversText({ old, new: fresh }: Comparison, changes: readonly Change[]): string {
  const review = inert(`from ${old.version} to ${fresh.version}`)
  if (changes.length === 0) return `# There is nothing to waive ${review}.\n`
  const head = `# Changes ${review}. Fill in owner, reason and expires (2027-01-31); delete what you do not accept.\n`
  return head + changes.map((change) => entry(change, old.version, fresh.version)).join('')
}

function entry({ fingerprint, id, operations, message }: Change, from: string, to: string): string {
  const lines = [
    `- fingerprint: '${fingerprint}' # ${inert(message)}`,
    `  id: ${id}`,
    ...operationLines(operations.map(scalar)),
    `  from: ${scalar(from)}`,
    `  to: ${scalar(to)}`,
    '  owner:',
    '  reason:',
    '  expires:',
  ]
  return `${lines.join('\n')}\n`
}

function operationLines(names: readonly string[]): string[] {
  const [only] = names
  if (only === undefined) return []
  return names.length === 1
    ? [`  operation: ${only}`]
    : ['  operation:', ...names.map((name) => `    - ${name}`)]
}

/** A text in YAML, without quotes if it cannot be read as anything else. A JSON string is a YAML string. */
function scalar(text: string): string {
  const isPlain = /^[A-Za-z]\w*(\.\w+)+$|^\d+\.\d+\.\d+(-[A-Za-z0-9.-]+)?$/.test(text)
  return isPlain ? text : JSON.stringify(text).replaceAll(/\p{C}/gu, '\\ufffd')
}
