/**
 * The URLs of the servers in a DATABASE_URL, which may have several hosts like libpq's
 * (`postgres://user@one:5432,two:5432/billing?target_session_attrs=read-write`). Undefined if it is invalid.
 */
export function serverUrls(url: string): readonly string[] | undefined {
  const [, scheme, user = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/.exec(url) ?? []
  if (scheme === undefined) return undefined
  const urls = hosts.split(',').map((host) => `${scheme}${user}${host}${rest}`)
  if (urls.length > 1 && hosts.split(',').includes('')) return undefined
  if (!urls.every((each) => URL.canParse(each))) return undefined
  const targets = new URL(urls[0] ?? '').searchParams.getAll(targetParameter)
  return targets.every((target) => targetNames.has(target)) ? urls.map(withoutTarget) : undefined
}

const targetParameter = 'target_session_attrs'

/** The service needs a server that accepts changes. Both values mean that. */
const targetNames: ReadonlySet<string> = new Set(['read-write', 'primary'])

function withoutTarget(text: string): string {
  const url = new URL(text)
  if (!url.searchParams.has(targetParameter)) return text
  url.searchParams.delete(targetParameter)
  return url.href
}
