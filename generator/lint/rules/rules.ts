import { carried } from './carried.js'
import { componentName } from './component-name.js'
import { contradictions } from './contradictions.js'
import { deprecation } from './deprecation.js'
import { errorCatalogue } from './error-catalogue.js'
import { errorStatuses } from './error-statuses.js'
import { extensions } from './extensions.js'
import { headerValues } from './header-values.js'
import { inheritance } from './inheritance.js'
import { mediaTypes } from './media-types.js'
import { operations } from './operations.js'
import { parameters } from './parameters.js'
import { pathParameters } from './path-parameters.js'
import { paths } from './paths.js'
import { patternSlashes } from './patterns/slashes.js'
import { slowPatterns } from './patterns/slow.js'
import { provenance } from './provenance.js'
import { references } from './references.js'
import { roundedNumbers } from './rounded-numbers.js'
import { rpc } from './rpc.js'
import type { Rule } from './rule.js'
import { schemas } from './schemas.js'
import { security } from './security.js'
import { servers } from './servers.js'
import { structure } from './structure.js'
import { timezone } from './timezone.js'
import { version } from './version.js'

// The order of rules has no effect, since findings are sorted by position.

/** Rules that a comparison needs. */
export const comparedRules: readonly Rule[] = [
  structure,
  references,
  componentName,
  version,
  servers,
  security,
  paths,
  pathParameters,
  parameters,
  carried,
  operations,
  mediaTypes,
  headerValues,
  schemas,
  contradictions,
  rpc,
  timezone,
  errorCatalogue,
  provenance,
  deprecation,
  extensions,
]

/** The rule that finds out whether a document has a title, a version and operations. */
export const frameRules: readonly Rule[] = [structure]

/** Rules whose findings change no comparison. One of them loads the analysis of patterns. */
export const uncomparedRules: readonly Rule[] = [
  slowPatterns,
  patternSlashes,
  inheritance,
  errorStatuses,
  roundedNumbers,
]

export const rules: readonly Rule[] = [...comparedRules, ...uncomparedRules]
