/** Work that yields questions of its own kind, and is given the answer to each. */
export type Steps<Question, Answer, Result = Answer> = Generator<Question, Result, Answer>

/** The answer to a question by work that asks others of its kind: recursion that the engine's stack does not bound. */
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
