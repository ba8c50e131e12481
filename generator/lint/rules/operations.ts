import { isObject, own, quoted } from '../../document/json.js'
import type { Path } from '../../document/pointer.js'
import { alwaysBare } from '../../model/results/result.js'
import { below, type Rule } from './rule.js'

/** operationIds are unique, and keys of responses are statuses (OpenAPI 3.1.1, Operation Object, Responses Object). */
export const operations: Rule = (context) => {
  const first = new Map<string, Path>()
  return {
    operation(node) {
      // The operations of path items under components count where they are used.
      if (node.parent?.parent?.kind === 'components') return
      const id = isObject(node.value) ? own(node.value, 'operationId') : undefined
      if (typeof id !== 'string') return
      const path = below(node.path, 'operationId')
      const earlier = first.get(id)
      if (earlier === undefined) first.set(id, path)
      else {
        const related = [{ message: 'The first one', path: earlier }]
        context.report('operation-id-duplicate', path, `The operationId ${id} is used twice`, { related })
      }
    },
    responses(node) {
      if (!isObject(node.value)) return
      for (const [key, response] of Object.entries(node.value)) {
        const content = own(context.resolve(response) ?? {}, 'content')
        if (alwaysBare.has(Number(key)) && isObject(content) && Object.keys(content).length > 0)
          context.report('content-impossible', below(node.path, key), `A ${key} response has no content`)
        if (key.startsWith('x-') || key === 'default' || /^[1-5](\d\d|XX)$/.test(key)) continue
        context.report('status-code-invalid', below(node.path, key), `${quoted(key)} is not a status code`)
      }
    },
  }
}
