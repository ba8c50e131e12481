import { isPlural } from './words.js'

/** Words that almost always name an action. */
const actions = new Set(
  `accept acknowledge acquire activate add adjust advance allocate analyze append apply approve archive ask assign associate attach
  authenticate authorize autocomplete begin bind calculate cancel capture categorize change clear clone close collect
  compact compare complete compress compute configure confirm connect convert create deactivate deauthorize decline decode
  decrypt define delete deliver deny deploy deprecate destroy detach detect disable disassociate disconnect dismiss
  dispatch distribute download duplicate edit eject enable encode encrypt end enhance enqueue enrich enroll ensure erase evaluate evict
  exchange execute expire explain export extend extract fail fetch finalize find finish fire flush forget generate get hangup identify
  ignore import increment ingest initialize initiate insert install introspect invalidate invoke join kick kill leave list locate login
  logout lookup match merge migrate modify move mute notify obtain open overwrite pause perform ping populate precheck predict
  prepare prioritize promote provision publish purge push put query reactivate read reassign rebase reboot rebuild
  receive recover redact redeliver redirect redo reduce refer refresh regenerate register reindex reject reload remove rename render
  renew reopen reorder replace replay reprocess rerun resend reset resize resolve restart restore resubmit resume retire
  retrieve retry reverse revert revoke rollback rotate save search select send set signin signout signup simulate skip snooze start stop store
  submit subscribe suspend switch sync synchronize terminate toggle transform translate trigger unarchive unassign unban
  unblock undelete undo unfollow uninstall unlike unlink unlock unmute unpublish unregister unstar unsubscribe unsuspend update
  upgrade upload upsert validate verify withdraw write`.split(/\s+/),
)

/** Words that name an action or a thing: `charge`, `report`. */
const either = new Set(
  `backup ban block book buy call charge check checkout claim commit copy count cut debit deposit drop filter follow fork grant
  hide hold invite launch link listen load lock mark observe pay pin poll post preview print process quote rank rate redeem refund
  release report request reserve return review route run scan schedule seed share ship show sign solve sort split star stream swap
  tail test throw track transfer try use view void vote wait watch`.split(/\s+/),
)

/** Actions that also describe a thing: `exchange_rates`, `login_links`. */
const kinds = new Set(
  'access download exchange export import install login push refresh signin signup upload'.split(' '),
)

export function isAction(word: string): boolean {
  return actions.has(word)
}

export function mayBeAction(word: string): boolean {
  return actions.has(word) || either.has(word)
}

/** Whether words name an action. `likely`: an action is likely here, so a word that can also name a thing counts. */
export function areAction(words: readonly string[], likely: boolean): boolean {
  const [first = '', second = ''] = words
  if (words.length > 1 && kinds.has(first) && !isAction(second)) return false
  if (isAction(first)) return true
  if (words.length === 2 && groups.has(first)) return isAction(second)
  return likely && either.has(first) && !isPlural(words.at(-1) ?? '')
}

const groups = new Set(['batch', 'bulk', 'mass', 'multi', 'partial'])

/** Whether words begin with an action on many things, or with one that is deprecated: `bulk_update_roles`. */
export function isQualified([first = '', second = '']: readonly string[]): boolean {
  return (groups.has(first) || first === 'deprecated') && mayBeAction(second)
}

/** Whether an action only reads, as a GET does. */
export function isReading(word: string): boolean {
  return reading.has(word)
}

const reading = new Set(
  `autocomplete check compare count download explain export fetch find get list locate lookup match ping poll predict
  preview query read render retrieve scan search stream validate verify`.split(/\s+/),
)

/** Words that separate the object of an action from its details: `findPetsByStatus`. */
export const prepositions: ReadonlySet<string> = new Set(
  'as at by for from in into of on to using via with without'.split(' '),
)

/** The usual verb for an HTTP method in an operationId: `create` for `postOrder`. */
export function actionOf(word: string): string {
  return methods.get(word) ?? word
}

const methods = new Map([
  ['post', 'create'],
  ['put', 'update'],
  ['patch', 'update'],
])
