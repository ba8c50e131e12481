/**
 * The outcome for a document. `name` is its folder's. `peers` is `accept` if one of the peers accepts it, and
 * `fail` if a peer crashed or took too long.
 * @typedef {import('./document.mjs').Answer & { file: string, name: string, peers: 'accept' | 'refuse' | 'fail'
 * }} Outcome
 */

/** @param {readonly Outcome[]} outcomes @param {boolean} peersAlone */
export function printRefused(outcomes, peersAlone) {
  const counted = outcomes.filter(({ peers }) => !peersAlone || peers === 'accept')
  const refused = counted.filter(({ faults }) => faults.length > 0)
  const others = outcomes.filter((outcome) => !counted.includes(outcome))
  printGroups(
    others.flatMap(({ file, peers, faults }) => [
      ...(peers === 'fail' ? [{ group: 'peer failed', place: file }] : []),
      ...(faults.some(({ code }) => code === 'time') ? [{ group: 'time, not counted', place: file }] : []),
    ]),
  )
  printGroups(
    refused.flatMap(({ file, faults }) =>
      [...new Set(faults.map(({ code }) => code))].map((code) => {
        const first = faults.find((fault) => fault.code === code)
        return { group: code, place: `${file}:${first?.text.slice(0, 160)}` }
      }),
    ),
  )
  const whose = peersAlone ? `that openapi-typescript or Redocly accepts, of ${outcomes.length}` : 'documents'
  printShare(counted.length - refused.length, counted.length, `${whose} are accepted`)
}

/** @param {readonly Outcome[]} outcomes @param {ReadonlyMap<string, string>} errors */
export function printCompiled(outcomes, errors) {
  const written = outcomes.filter(({ faults }) => faults.length === 0)
  printGroups(
    written.flatMap(({ file, name }) => {
      const error = errors.get(name)
      if (error === undefined) return []
      return [{ group: /TS\d+/.exec(error)?.[0] ?? 'tsc', place: `${file}: ${error.slice(0, 240)}` }]
    }),
  )
  printShare(written.length - errors.size, written.length, 'outputs compile')
}

/** @param {readonly Outcome[]} outcomes */
export function printParity(outcomes) {
  const broken = outcomes.flatMap(({ file, broken }) =>
    broken === undefined ? [] : [{ group: 'not called', place: `${file}: ${broken}` }],
  )
  const trials = outcomes.flatMap(({ file, trials = [] }) => trials.map((trial) => ({ ...trial, file })))
  /** @type {Set<string>} */
  const told = new Set()
  printGroups([
    ...broken,
    ...trials.flatMap(({ cause, ending, file, kind, name }) =>
      cause !== undefined || kind === 'invalid' || ending === 'success'
        ? []
        : [{ group: `not exercised: ${shortOf(ending)}`, place: `${file} ${name} ${ending}` }],
    ),
    ...trials.flatMap(({ cause, file, kind, name, overRest, overRpc }) => {
      const key = `${file} ${name} ${kind} ${cause}`
      if (cause === undefined || told.has(key)) return []
      told.add(key)
      const [rest = '', rpc = ''] = [overRest, overRpc].map((outcome) => cut(JSON.stringify(outcome)))
      return [
        { group: `${kind}: ${cause}`, place: `${file} ${name}\n    REST     ${rest}\n    JSON-RPC ${rpc}` },
      ]
    }),
  ])
  for (const kind of ['valid', 'invalid']) {
    /** @type {Map<string, number>} */
    const counts = new Map()
    for (const { ending } of trials.filter((trial) => trial.kind === kind)) {
      const group = shortOf(ending)
      counts.set(group, (counts.get(group) ?? 0) + 1)
    }
    const endings = [...counts].sort((a, b) => b[1] - a[1]).map(([ending, count]) => `${count} ${ending}`)
    console.log(`${kind} params: ${endings.join(', ')}`)
  }
  /** @type {Map<string, boolean>} */
  const alike = new Map()
  for (const { file, name, cause, kind, ending } of trials) {
    if (kind === 'valid' && untried.test(ending)) continue
    const operation = `${file} ${name}`
    alike.set(operation, alike.get(operation) !== false && cause === undefined)
  }
  const all = new Set(trials.map(({ file, name }) => `${file} ${name}`))
  const left = all.size - alike.size
  const whose = left === 0 ? 'operations' : `operations (and ${left} not called)`
  printShare([...alike.values()].filter(Boolean).length, alike.size, `${whose} answer alike`)
}

/** @param {string} ending */
function shortOf(ending) {
  return ending.replace(/: .*/s, '')
}

/** Outcomes of calls that were not sent over both protocols. */
const untried = /^(REST|JSON-RPC) does not have it|^fetch sends no|^no valid params/

/**
 * Prints the largest group first, with its first locations. @param {readonly { group: string, place: string
 * }[]} found
 */
function printGroups(found) {
  /** @type {Map<string, string[]>} */
  const places = new Map()
  for (const { group, place } of found) {
    const all = places.get(group) ?? []
    places.set(group, all)
    all.push(place)
  }
  for (const [group, all] of [...places].sort((a, b) => b[1].length - a[1].length)) {
    console.log(`${group}: ${all.length}`)
    for (const place of all.sort().slice(0, 8)) console.log(`  ${place}`)
  }
}

/** @param {number} part @param {number} whole @param {string} what */
function printShare(part, whole, what) {
  console.log(`${part} of ${whole} ${what}: ${((100 * part) / Math.max(1, whole)).toFixed(1)} %`)
}

/** @param {string | undefined} text */
function cut(text = '') {
  return text.length > 400 ? `${text.slice(0, 400)}...` : text
}
