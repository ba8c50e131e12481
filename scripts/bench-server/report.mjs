import { median } from '../measure/process.mjs'
import { targets } from './peers.mjs'

/** @param {import('./run.mjs').Measured[]} measured @param {number} rounds */
export function report(measured, rounds) {
  const rows = measured.map(row)
  return [
    `Medians of ${rounds} rounds, Node ${process.version}. CPU: of the server, for one call.`,
    '',
    '| protocol | job | server | calls/s | CPU µs | p50 ms | p99 ms |',
    '| --- | --- | --- | --: | --: | --: | --: |',
    ...rows.map(line),
    '',
    '| protocol | job | server | than | calls/s | CPU | to reach |',
    '| --- | --- | --- | --- | --: | --: | --: |',
    ...targets.flatMap((target) => compared(rows, target)),
    ...largeTargets(rows).flatMap((target) => compared(rows, target)),
    ...batches(rows),
  ].join('\n')
}

/** @param {Map<string, import('./process.mjs').Usage[]>} started */
export function startReport(started) {
  return [
    '',
    '| server | ready ms | CPU ms | MB |',
    '| --- | --: | --: | --: |',
    ...Array.from(started, ([name, usages]) => {
      const middle = (/** @type {(usage: import('./process.mjs').Usage) => number} */ of) =>
        median(usages.map(of))
      const cells = [
        middle(({ uptime }) => uptime),
        middle(({ cpu }) => cpu / 1000),
        middle(({ memory }) => memory / 1e6),
      ]
      return `| ${[name, ...cells.map((cell) => cell.toFixed(0))].join(' | ')} |`
    }),
  ].join('\n')
}

/**
 * Targets: no call is slower in a large document. @param {Row[]} rows @returns
 * {import('./peers.mjs').Target[]}
 */
function largeTargets(rows) {
  const names = new Set(rows.map(({ peer }) => peer.name))
  return [...names].flatMap((name) =>
    /^duet of \d+$/.test(name) ? [{ own: name, than: 'duet', factor: 1 }] : [],
  )
}

/** The throughput of a batch relative to single calls. @param {Row[]} rows */
function batches(rows) {
  return rows.flatMap((batch) => {
    const single = rows.find(
      ({ job, peer }) => peer === batch.peer && job.name === 'update' && job.protocol === 'jsonrpc',
    )
    if (batch.job.calls === 1 || single === undefined) return []
    const rate = median(batch.runs.map((run, round) => run.rate / single.runs[round].rate))
    const cpu = median(batch.runs.map((run, round) => single.runs[round].cpu / run.cpu))
    const { name } = batch.peer
    return [
      `| jsonrpc | ${batch.job.name} | ${name} | its own single calls | ${rate.toFixed(2)} | ${cpu.toFixed(2)} | ${name.startsWith('duet') ? 5 : ''} |`,
    ]
  })
}

/** @param {import('./run.mjs').Measured} measured */
function row({ job, peer, runs }) {
  const middle = (/** @type {(run: import('./run.mjs').Run) => number} */ of) => median(runs.map(of))
  return {
    job,
    peer,
    rate: middle(({ requests, seconds }) => (requests * job.calls) / seconds),
    cpu: middle(({ cpu }) => cpu / job.calls),
    p50: middle(({ p50 }) => p50),
    p99: middle(({ p99 }) => p99),
    runs: runs.map(({ requests, seconds, cpu }) => ({
      rate: (requests * job.calls) / seconds,
      cpu: cpu / job.calls,
    })),
  }
}

/** @typedef {ReturnType<typeof row>} Row */

/** @param {Row} row */
function line({ job, peer, rate, cpu, p50, p99 }) {
  const cells = [
    job.protocol,
    job.name,
    peer.name,
    rate.toFixed(0),
    cpu.toFixed(1),
    p50.toFixed(1),
    p99.toFixed(1),
  ]
  return `| ${cells.join(' | ')} |`
}

/**
 * The throughput of our server relative to a peer's, round by round, for jobs that both ran. If a peer does
 * not speak our protocol, its last protocol counts: its own, or REST with a body.
 * @param {Row[]} rows @param {import('./peers.mjs').Target} target
 */
function compared(rows, { own, than, factor, protocol }) {
  return rows
    .filter(({ peer, job }) => peer.name === own && job.protocol === (protocol ?? job.protocol))
    .flatMap((ours) => {
      const alike = rows.filter(({ peer, job }) => peer.name === than && job.name === ours.job.name)
      const theirs = alike.find(({ job }) => job.protocol === ours.job.protocol) ?? alike.at(-1)
      if (theirs === undefined) return []
      const rate = median(ours.runs.map((run, round) => run.rate / theirs.runs[round].rate))
      const cpu = median(ours.runs.map((run, round) => theirs.runs[round].cpu / run.cpu))
      const cells = [ours.job.protocol, ours.job.name, own, than, rate.toFixed(2), cpu.toFixed(2), factor]
      return [`| ${cells.join(' | ')} |`]
    })
}
