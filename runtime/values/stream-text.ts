/** The text of a stream as it arrives, and whether it has ended. Cancels the stream if the reader stops. */
export async function* streamText(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<{ readonly text: string; readonly done: boolean }> {
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      yield { text: decoder.decode(value, { stream: !done }), done }
      if (done) return
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
