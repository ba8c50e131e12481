import type { Handlers } from '#api'

export const handlers: Handlers<unknown> = {
  greetings: {
    get: ({ name }) => ({ text: `Hello, ${name}!` }),
  },
}
