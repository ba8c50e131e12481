import type { Legal } from './document.js'
import { edges } from './documents-edges.js'
import { shapes } from './documents-shapes.js'
import { values } from './documents-values.js'

/** Every legal document, by its peculiarity. */
export const legal: Readonly<Record<string, Legal>> = { ...shapes, ...values, ...edges }
