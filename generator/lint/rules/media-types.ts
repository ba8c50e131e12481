import type { GrammarNode } from '../../document/grammar.js'
import { isObject, own, quoted } from '../../document/json.js'
import { essenceOf } from '../../document/media-type.js'
import { closest } from '../../document/spelling.js'
import { below, type Rule } from './rule.js'

/** Keys of content are media types or media ranges (RFC 9110 section 8.3.1), in common spelling. */
export const mediaTypes: Rule = (context) => {
  const check = ({ value, path }: GrammarNode): void => {
    const content = isObject(value) ? own(value, 'content') : undefined
    if (!isObject(content)) return
    for (const key of Object.keys(content)) {
      const isValid = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;[^\r\n]*)?$/.test(key)
      const meant = isValid ? misspelling(essenceOf(key)) : intended(essenceOf(key))
      if (isValid && meant === undefined) continue
      const fault = isValid
        ? `looks like a misspelt ${meant}`
        : 'is not a media type, and its content is ignored'
      const at = below(path, 'content', key)
      const code = isValid ? 'media-type-misspelt' : 'media-type-invalid'
      const remedy = meant && `Write ${meant}.`
      context.report(code, at, `${quoted(key)} ${fault}${context.usedIn(at)}`, { remedy })
    }
  }
  return { requestBody: check, response: check, parameter: check, header: check }
}

/** The media type that a key without a valid one most likely means. */
function intended(key: string): string | undefined {
  return common.find((type) => type.endsWith(`/${key}`)) ?? closest(key, common)
}

/** The media type that differs by a letter or two. Undefined if the type may be meant as it is. */
function misspelling(type: string): string | undefined {
  const [tree = '', subtype = ''] = type.split('/')
  const right = trees.has(tree) ? tree : (closest(tree, trees) ?? tree)
  const plus = subtype.lastIndexOf('+')
  const suffix = subtype.slice(plus + 1)
  const known = plus === -1 ? [...lookalikes, ...subtypesOf(right)] : suffixes
  const corrected = known.includes(suffix) ? suffix : closest(suffix, known)
  const meant = `${right}/${subtype.slice(0, plus + 1)}${isTarget(right, corrected, plus) ? corrected : suffix}`
  return meant === type ? undefined : meant
}

/** A type that is like one of the lookalikes is as likely a format of its own. */
function isTarget(tree: string, word: string | undefined, plus: number): word is string {
  if (word === undefined) return false
  return plus === -1 ? subtypesOf(tree).includes(word) : ['json', 'xml', 'yaml'].includes(word)
}

function subtypesOf(tree: string): readonly string[] {
  return common.filter((type) => type.startsWith(`${tree}/`)).map((type) => type.slice(tree.length + 1))
}

/** Top-level types (IANA), and the one that many use without a registration. */
const trees: ReadonlySet<string> = new Set(
  'application audio chemical example font haptics image message model multipart text video *'.split(' '),
)

/** Types whose name decides how duet reads and writes them. */
const common = [
  'application/json',
  'application/xml',
  'application/yaml',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'application/x-ndjson',
  'multipart/form-data',
  'text/plain',
  'text/csv',
  'text/html',
  'text/event-stream',
]

/** Formats of their own whose names are like those of common types. */
const lookalikes =
  'bson cbor cjson cson css dxf eml gzip hjson ion jose json5 jsonl jsonld jsonml ndjson pem rtf soap svg toml tsv ubjson vcf x-json x-yaml xjson xhtml xls xslt xul yml zip'.split(
    ' ',
  )

/** Structured syntax suffixes (IANA), and a few that are not registered. */
const suffixes =
  'ber bson cbor cbor-seq cose der fastinfoset gzip json json-seq json5 jsonl jwe jws jwt ndjson sqlite3 tlv wbxml xml yaml yml zip zstd'.split(
    ' ',
  )
