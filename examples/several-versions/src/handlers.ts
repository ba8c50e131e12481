import type * as v2 from '#v2'

const people = new Map<number, v2.Person>([[1, { id: 1, givenName: 'Ada', familyName: 'Lovelace' }]])

/** Handlers are written once, for the newest version. */
export const handlers: v2.Handlers<unknown> = {
  people: {
    get({ id }, context) {
      const found = people.get(id)
      if (found === undefined) throw context.problem('not_found', `There is no person ${id}.`)
      return found
    },
  },
}
