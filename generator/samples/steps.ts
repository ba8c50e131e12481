/** Work that yields questions of its own kind and receives their answers. */
export type Steps<Question, Answer, Result = Answer> = Generator<Question, Result, Answer>

/** Answers a question whose work asks questions of the same kind: recursion without the limit of the engine's stack. */
export function answerOf<Question, Answer>(
  question: Question,
  work: (question: Question) => Steps<Question, Answer>,
): Answer {
  const stack: Steps<Question, Answer>[] = []
  let top = work(question)
  let step = top.next()
  for (;;) {
    if (step.done !== true) {
      stack.push(top)
      top = work(step.value)
      step = top.next()
      continue
    }
    const above = stack.pop()
    if (above === undefined) return step.value
    top = above
    step = top.next(step.value)
  }
}
