import { breaking, compatible, dangerous } from './change-row.js'
import { added, removed } from './columns.js'

/** Changes of what agents see of an operation over MCP, besides its params and its result. */
export const toolChanges = {
  'tool-added': compatible('An operation became a tool of MCP.', { ...added, handlers: 'never' }),
  'tool-removed': breaking('An operation is no longer a tool of MCP.', {
    ...removed,
    ...{ handlers: 'never', traits: ['move'] },
  }),
  'tool-renamed': breaking('A tool has another name.', { handlers: 'never', traits: ['move'] }),
  'tool-moved': breaking('A tool calls another operation.', { handlers: 'never', traits: ['move'] }),
  'tool-became-riskier': breaking(
    'A tool is no longer read-only, no longer idempotent, or may now change or remove something: clients ask their users before such calls.',
    { handlers: 'never' },
  ),
  'tool-became-safer': compatible(
    'A tool is now read-only, idempotent, or no longer changes or removes anything.',
    { handlers: 'never' },
  ),
  'tool-title-changed': compatible('The title of a tool changed.', { handlers: 'never' }),
  'tool-description-changed': compatible(
    'The description of a tool or of its arguments changed. A model decides by it whether and how to call the tool.',
    { handlers: 'never' },
  ),
  'tool-fixed-value-changed': dangerous('A param has another value in every call of a tool (`fixed`).', {
    handlers: 'never',
  }),
  'tool-output-changed': breaking(
    'A tool returns its result in another form: as structured content, text, an image, a sound or a file.',
    { handlers: 'never' },
  ),
  'tool-search-added': breaking(
    'The tools have more bytes than `maxBytes`: agents see three tools instead, which search, describe and call operations.',
    { handlers: 'never', traits: ['move'] },
  ),
  'tool-search-removed': breaking(
    'Agents see a tool for each operation again, instead of three that search, describe and call operations.',
    { handlers: 'never', traits: ['move'] },
  ),
} as const

/** Changes of the arguments that agents send. */
export const toolParamChanges = {
  'tool-param-hidden': breaking('Agents can no longer send a param (`hidden` or `fixed`).', {
    ...{ handlers: 'never', refusedBy: ['additionalProperties'], traits: ['loss'] },
  }),
  'tool-param-shown': compatible('Agents can send a param that the tool hid or fixed.', {
    handlers: 'never',
  }),
  'tool-param-required': breaking('Agents must send a param that the tool hid or fixed.', {
    ...{ handlers: 'never', refusedBy: ['required'] },
  }),
} as const
