import type { Model, Operation } from '../model/model.js'

/** What people call an operation: its summary, else words made of its name: `charges.create` is `Create charge`. */
export function titleOf(operation: Operation): string {
  return statedTitle(operation) ?? namedTitle(operation)
}

/** A summary that is no title, since it is too long or has Markdown. */
export function longSummaryOf(operation: Operation): string | undefined {
  return statedTitle(operation) === undefined ? operation.summary : undefined
}

function statedTitle({ summary = '' }: Operation): string | undefined {
  const text = summary.trim().replace(/\.$/, '')
  return text === '' || text.length > longest || /[\n<]|\*\*|\]\(|`/.test(text) ? undefined : text
}

const longest = 100

function namedTitle({ namespace, member }: Operation): string {
  const verb = words(member)
  if (verb.includes(' ')) return sentence(verb)
  const thing = words(namespace.split('.').at(-1) ?? '')
  return sentence(`${verb} ${ofSeveral.has(member) ? thing : singular(thing)}`)
}

/** A name in sentence case: `code_scanning` is `Code scanning`, `iam` is `IAM`. Mixed case stays. */
export function sentence(name: string): string {
  const text = words(name)
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
}

/** What the document calls a tag, if it has another name for people (`x-displayName`). */
export function tagTitle({ openapi }: Pick<Model, 'openapi'>, name: string): string {
  const tags = Array.isArray(openapi.tags) ? openapi.tags : []
  for (const tag of tags)
    if (tag !== null && typeof tag === 'object' && !Array.isArray(tag) && tag.name === name)
      return typeof tag['x-displayName'] === 'string' ? tag['x-displayName'] : sentence(name)
  return sentence(name)
}

const ofSeveral = new Set(['list', 'search', 'find', 'query'])

function words(name: string): string {
  return name
    .split(/[\s._-]+/)
    .filter(Boolean)
    .map((word) => spellings.get(word) ?? (isAcronym(word) ? word.toUpperCase() : word))
    .join(' ')
}

/** Short words without a vowel, and the usual ones with. */
function isAcronym(word: string): boolean {
  return /^[b-df-hj-np-tv-xz]{2,4}$/.test(word) || acronyms.has(word)
}

const acronyms = new Set(['api', 'iam', 'id', 'ids', 'ip', 'oidc', 'scim', 'uri', 'url'])

const spellings: ReadonlyMap<string, string> = new Map([['oauth', 'OAuth']])

function singular(words: string): string {
  if (/ies$/.test(words)) return words.replace(/ies$/, 'y')
  return /(ss|us|is)$/.test(words) ? words : words.replace(/s$/, '')
}
