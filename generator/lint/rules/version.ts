import { isObject, own, quoted } from '../../document/json.js'
import { isPlainVersion } from '../../load/info-text.js'
import { isPortable } from '../../project/taken-paths.js'
import { below, type Rule } from './rule.js'

/** `info.version` is the name of the output folder. */
export const version: Rule = (context) => ({
  info(node) {
    const value = isObject(node.value) ? own(node.value, 'version') : undefined
    if (typeof value !== 'string' || isFolderName(value)) return
    context.report(
      'version-invalid',
      below(node.path, 'version'),
      `The version ${quoted(value)} cannot name a folder`,
    )
  },
})

function isFolderName(text: string): boolean {
  const reserved = ['dist', 'node_modules']
  return isPlainVersion(text) && !reserved.includes(text.toLowerCase()) && isPortable(text)
}
