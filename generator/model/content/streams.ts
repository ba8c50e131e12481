import type { AnswerMedia } from 'duet-runtime'
import type { Operation } from '../model.js'

/** The streams that an operation may return. */
export function streamsOf({ rest: { answers = [] } }: Pick<Operation, 'rest'>): readonly AnswerMedia[] {
  return answers.filter(({ kind }) => kind === 'events' || kind === 'lines')
}

/** Whether the client's method is an iterator of pieces, or has one besides. Same rule as the runtime's client. */
export function streaming(operation: Pick<Operation, 'rest'>): 'always' | 'sometimes' | 'never' {
  const streams = streamsOf(operation).length
  if (streams === 0) return 'never'
  return streams === operation.rest.answers?.length ? 'always' : 'sometimes'
}
