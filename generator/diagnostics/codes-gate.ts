import type { CodeTexts } from './code-definition.js'

/** Errors in a file of waivers, and waivers that a review cannot use. */
export const gateErrors = {
  'waivers-not-list': [
    'Not a list of waivers',
    'A file of waivers is a list; each entry accepts one change of a review.',
    'Begin each entry with a hyphen: - fingerprint: 0123456789abcdef. duet diff OLD NEW --format waivers prints entries to fill in.',
  ],
  'waiver-field-unknown': [
    'Unknown field of a waiver',
    'An entry has fingerprint, owner, reason and expires; id, operation, from and to may stand beside them.',
    'Correct the name, or remove the field.',
  ],
  'waiver-field-missing': [
    'Field of a waiver is missing',
    'Who accepts a change, why, and until when is what makes an exception from a rule one that can be checked.',
    'Add fingerprint, owner, reason and expires.',
  ],
  'waiver-field-invalid': [
    'Invalid field of a waiver',
    'All fields of a waiver are texts; expires is a day of the calendar, and fingerprint is what duet diff prints.',
    'Write a text, in quotes where YAML would read a number.',
  ],
  'waiver-duplicate': [
    'Change waived twice',
    'Two entries have the same fingerprint for the same review, so it would be chance whose reason counts.',
    'Keep one of the two.',
  ],
  'waiver-expired': [
    'Waiver has expired',
    'The day named by expires is over (by UTC), so the change counts again. An old exception that nobody looks at would stay for ever.',
    'Delete the entry, or let its owner decide anew and set a later day.',
  ],
  'waiver-unused': [
    'Waiver without a change',
    'No change of this review has the fingerprint; what it was for is mended or altered.',
    'Delete the entry. If it belongs to another review, say so with from and to.',
  ],
  'waiver-mismatch': [
    'Waiver of another change',
    'The change with this fingerprint is another one than id or operation of the entry say, so nothing is waived.',
    'Correct the fingerprint, or id and operation.',
  ],
} satisfies Record<string, CodeTexts>

/** Findings of linting against a baseline. */
export const gateWarnings = {
  'breaking-change': [
    'Change that breaks callers',
    'Callers of the baseline version, which `baseline` in the config file names, will notice the change: a call that was right fails, or an answer is none that they expect.',
    'Take it back, or release it with a bump that announces it; duet diff shows the whole review.',
  ],
} satisfies Record<string, CodeTexts>
