import { arrays } from './arrays.mjs'
import { logic } from './logic.mjs'
import { objects } from './objects.mjs'
import { realWorld } from './real-world.mjs'
import { references } from './references.mjs'
import { scalars } from './scalars.mjs'

/** The project's own labelled pairs, written by hand. */
export const pairs = [...scalars, ...logic, ...arrays, ...objects, ...references, ...realWorld]
