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
    'An entry has fingerprint, owner, reason and expires; id, operation, from and to are optional.',
    'Correct the name, or remove the field.',
  ],
  'waiver-field-missing': [
    'Missing field of a waiver',
    'A waiver must say who accepts the change, why, and until when, so that others can check it.',
    'Add fingerprint, owner, reason and expires.',
  ],
  'waiver-field-invalid': [
    'Invalid field of a waiver',
    'All fields of a waiver are texts. expires is an existing date, and fingerprint is a value that duet diff prints.',
    'Write a text. Put it in quotes if YAML would read a number.',
  ],
  'waiver-duplicate': [
    'Change waived twice',
    'Two entries have the same fingerprint for the same review, so it is unclear whose reason counts.',
    'Keep one of the two.',
  ],
  'waiver-expired': [
    'Waiver has expired',
    'The date in expires has passed (UTC), so the change counts again. Without an end, a forgotten exception would stay for ever.',
    'Delete the entry, or let its owner decide again and set a later date.',
  ],
  'waiver-unused': [
    'Waiver without a change',
    'No change of this review has the fingerprint. The change was corrected or has altered.',
    'Delete the entry. If it belongs to another review, add from and to.',
  ],
  'waiver-used': [
    'Waiver of a change that is in use',
    'The entry holds only while nobody depends on the change (unused), and the ledgers of --usage show a call that does, or too few calls to say so.',
    'Talk to the callers, or let the owner decide again without unused. If there is no ledger, add --usage.',
  ],
  'waiver-mismatch': [
    'Waiver of another change',
    'The change with this fingerprint does not match id or operation of the entry, so the entry has no effect.',
    'Correct the fingerprint, or id and operation.',
  ],
} satisfies Record<string, CodeTexts>

/** Findings of linting against a baseline. */
export const gateWarnings = {
  'breaking-change': [
    'Change that breaks callers',
    'The change breaks callers of the baseline version, which `baseline` in the config file names: a valid call now fails, or a response is one that they do not expect.',
    'Revert the change, or announce it by a version bump. duet diff shows the whole review.',
  ],
} satisfies Record<string, CodeTexts>
