import type { AnswerMedia } from 'duet-runtime'
import type { Operation } from '../model.js'

/** What an operation may answer piece by piece. */
export function streamsOf({ rest: { answers = [] } }: Pick<Operation, 'rest'>): readonly AnswerMedia[] {
  return answers.filter(({ kind }) => kind === 'events' || kind === 'lines')
}

/** Whether the methods of clients are iterators of pieces, or have one beside; as the runtime's client decides. */
export function streaming(operation: Pick<Operation, 'rest'>): 'always' | 'sometimes' | 'never' {
  const streams = streamsOf(operation).length
  if (streams === 0) return 'never'
  return streams === operation.rest.answers?.length ? 'always' : 'sometimes'
}
