import type { Adapter } from 'duet-runtime'
import type * as v1 from '#v1'
import type * as v2 from '#v2'

/** How 2.0.0 serves the callers of 1.0.0. */
export const adapter: Adapter = {
  'people.get': {
    result: ({ id, givenName, familyName }: v2.Person): v1.Person => ({
      id,
      name: `${givenName} ${familyName}`,
    }),
  },
}
