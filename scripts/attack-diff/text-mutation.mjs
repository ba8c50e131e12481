// Numbers as callers write them. Whether anyone writes 1.0 for an integer is another question.
const texts = [
  '1',
  'a',
  '',
  'true',
  'null',
  'a,b',
  '1,2',
  'a%7Cb',
  'a%20b',
  '%7B%22a%22%3A1%7D',
  'a,1',
  '%22a%22',
  '2020-01-01',
  'a=1',
]

/** A request with one different text. Names stay, because undeclared names are another question. */
export function mutated(request, { rest }, random) {
  const { url, headers, body } = request
  const [path, query] = url.split('?')
  const named = Object.keys(headers).filter((name) => !/^(accept|content-type)$/.test(name))
  const ways = [
    ...(query ? [() => ({ ...request, url: `${path}?${pairs(query, '&', random)}` })] : []),
    ...(rest.path.includes('{')
      ? [() => ({ ...request, url: [segments(path, random), query].filter(Boolean).join('?') })]
      : []),
    ...(named.length > 0
      ? [() => ({ ...request, headers: { ...headers, ...header(headers, random.pick(named), random) } })]
      : []),
    ...(body === undefined ? [] : [() => ({ ...request, ...otherBody(request, rest, random) })]),
  ]
  return ways.length === 0 ? request : random.pick(ways)()
}

function pairs(text, separator, random) {
  const all = text.split(separator)
  const at = random.below(all.length)
  const [name] = all[at].split('=')
  if (random.once(3)) all.splice(at, random.below(2), all[at])
  else if (random.once(4)) all.splice(at, 1)
  else all[at] = `${name}=${anyText(random)}`
  return all.join(separator)
}

/** Empty texts are frequent: lists, nulls and parameters that may be empty read them in their own ways. */
function anyText(random) {
  return random.once(3) ? '' : random.pick(texts)
}

function segments(path, random) {
  const all = path.split('/')
  const at = 1 + random.below(all.length - 1)
  const prefix = /^(\.|;\w+=)/.exec(all[at])?.[0] ?? ''
  all[at] = prefix + random.pick(texts)
  return all.join('/')
}

function header(headers, name, random) {
  return {
    [name]: name === 'cookie' ? pairs(headers[name], '; ', random) : decodeURIComponent(random.pick(texts)),
  }
}

function otherBody({ headers, body }, { body: binding }, random) {
  const type = headers['content-type'] ?? ''
  if (random.once(4)) {
    const other = random.pick(binding?.media ?? [])?.type ?? type
    return { headers: { ...headers, 'content-type': other }, body: body || 'a' }
  }
  if (type.startsWith('application/x-www-form-urlencoded')) return { body: pairs(body, '&', random) }
  if (type.startsWith('multipart/')) return { body: parts(body, decodeURIComponent(anyText(random)), random) }
  if (!/json/.test(type)) return { body: decodeURIComponent(random.pick(texts)) }
  return { body: JSON.stringify(otherValue(JSON.parse(body), random)) }
}

/** A multipart body with another text in one part. */
function parts(body, value, random) {
  const all = [...body.matchAll(/\r\n\r\n[^\r]*\r\n--/g)]
  const found = random.pick(all)
  if (found === undefined) return body
  const end = found.index + found[0].length
  return `${body.slice(0, found.index)}\r\n\r\n${value}\r\n--${body.slice(end)}`
}

const values = [null, true, 1, 0, 1.5, '', 'a', '1', [], ['a'], [1], {}, 'b', 100]

function otherValue(value, random) {
  if (random.once(5) || typeof value !== 'object' || value === null) return random.pick(values)
  if (Array.isArray(value))
    return value.length === 0 || random.once(3)
      ? [...value, ...value]
      : value.map((one, at) => (at === 0 ? otherValue(one, random) : one))
  const key = random.pick(Object.keys(value))
  if (key === undefined) return value
  const { [key]: found, ...rest } = value
  return random.once(3) ? rest : { ...value, [key]: otherValue(found, random) }
}
