import type * as v1 from '#v1'
import type * as v2 from '#v2'

const people = new Map<number, v2.Person>([[1, { id: 1, givenName: 'Ada', familyName: 'Lovelace' }]])

/** Handlers are written once, for the newest version. */
const newest = {
  people: {
    get({ id }, context) {
      const found = people.get(id)
      if (found === undefined) throw context.problem('not_found', `There is no person ${id}.`)
      return found
    },
  },
} satisfies v2.Handlers<unknown>

/** An older version has only what it shapes differently. The compiler checks each against its own document. */
export const handlers: { readonly v1: v1.Handlers<unknown>; readonly v2: v2.Handlers<unknown> } = {
  v1: {
    people: {
      get(params, context) {
        const { id, givenName, familyName } = newest.people.get(params, context)
        return { id, name: `${givenName} ${familyName}` }
      },
    },
  },
  v2: newest,
}
