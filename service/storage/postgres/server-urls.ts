/**
 * The URLs of the servers that a DATABASE_URL names, which may have several hosts as libpq's have
 * (`postgres://user@one:5432,two:5432/billing?target_session_attrs=read-write`); undefined where it is none.
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

/** The service takes no server that only reads; both names say so. */
const targetNames: ReadonlySet<string> = new Set(['read-write', 'primary'])

function withoutTarget(text: string): string {
  const url = new URL(text)
  if (!url.searchParams.has(targetParameter)) return text
  url.searchParams.delete(targetParameter)
  return url.href
}
