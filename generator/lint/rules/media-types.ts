import type { GrammarNode } from '../../document/grammar.js'
import { isObject, own, quoted } from '../../document/json.js'
import { below, type Rule } from './rule.js'

/** Keys of content are media types or media ranges (RFC 9110 section 8.3.1). */
export const mediaTypes: Rule = (context) => {
  const check = ({ value, path }: GrammarNode): void => {
    const content = isObject(value) ? own(value, 'content') : undefined
    if (!isObject(content)) return
    for (const key of Object.keys(content)) {
      if (/^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;[^\r\n]*)?$/.test(key)) continue
      context.report('media-type-invalid', below(path, 'content', key), `${quoted(key)} is not a media type`)
    }
  }
  return { requestBody: check, response: check, parameter: check, header: check }
}
