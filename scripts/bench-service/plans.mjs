// npm run bench:plans -- [--clients N] [--gateways N] [--verbose]
//
// Fills a PostgreSQL with these numbers of rows, and examines the plan of every statement that a call of the service
// runs, by filter and order: how it reads, how many rows for a page of 20, and how long. Each statement runs
// six times first, as on a connection of the service, so that the server has chosen between a custom and a
// generic plan. Exits with 1 if a plan reads a whole table, or sorts or reads more than 2,500 rows; the data
// has values that a thousand rows share. Omits deep offsets, which must read what they skip. --verbose: prints every
// statement, not only those at fault.
import '../help.mjs'
import { parseArgs } from 'node:util'
import { createStorage } from '../../service/dist/storage/storage.js'
import { userStore } from '../../service/dist/storage/tables/identity/users.js'
import { startDatabase } from './database.mjs'
import { shapes } from './shapes.mjs'

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '1000000' },
    gateways: { type: 'string', default: '100000' },
    verbose: { type: 'boolean', default: false },
  },
})

const most = 2500

/**
 * @typedef {{ 'Node Type': string, 'Relation Name'?: string, 'Index Name'?: string, 'Actual Rows': number,
 *   'Actual Loops': number, 'Rows Removed by Filter'?: number, Plans?: PlanNode[] }} PlanNode
 */
const filled = await startDatabase({ clients: Number(values.clients), gateways: Number(values.gateways) }, [
  'shared_buffers=512MB',
])
let faults = 0
try {
  const { database } = filled
  console.log(
    `${values.clients} clients and ${values.gateways} gateways, filled in ${filled.fillSeconds.toFixed(0)} s\n`,
  )
  console.log('| statement | read by | rows read | ms | |\n| --- | --- | ---: | ---: | --- |')
  let number = 0
  /** Examines a statement's plan instead of running it. */
  const looking = {
    /** @param {string | { text: string, reseller?: string }} statement @param {readonly unknown[]} [given] */
    async query(statement, given = []) {
      const { text, ...scope } = typeof statement === 'string' ? { text: statement } : statement
      const name = `look_${++number}`
      const literals = given.map(literalOf)
      const execute = `execute ${name}${literals.length > 0 ? `(${literals.join(', ')})` : ''}`
      await database.transaction(async (transaction) => {
        // A Reseller's scope ends with the transaction.
        await transaction.query({ ...scope, text: `prepare ${name} as ${text}` })
        for (let times = 0; times < 6; times += 1) await transaction.query(execute)
        /** @type {Record<string, { Plan: PlanNode, "Execution Time": number }[]>[]} */
        const [row] = await transaction.query(`explain (analyze, format json) ${execute}`)
        await transaction.query(`deallocate ${name}`)
        for (const explained of row?.['QUERY PLAN'] ?? []) judge(explained)
      })
      return []
    },
  }
  let title = ''
  const storage = createStorage(looking)
  for (const shape of shapes) {
    title = shape.title
    await shape.run(storage, userStore(looking))
  }

  /** @param {{ Plan: PlanNode, 'Execution Time': number }} explained */
  function judge({ Plan: plan, 'Execution Time': time }) {
    const nodes = nodesOf(plan)
    const scans = nodes.filter((node) => / Scan$/.test(node['Node Type']) && 'Relation Name' in node)
    const read = scans.reduce(
      (sum, node) =>
        sum +
        (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * Math.max(node['Actual Loops'], 1),
      0,
    )
    const sorted = nodes
      .filter((node) => node['Node Type'] === 'Sort')
      .map((node) => (node.Plans?.[0]?.['Actual Rows'] ?? 0) * Math.max(node['Actual Loops'], 1))
    const whole = scans.some(
      (node) =>
        node['Node Type'] === 'Seq Scan' &&
        ['clients', 'gateways', 'audit'].includes(node['Relation Name'] ?? ''),
    )
    const found = [
      ...(whole ? ['reads the whole table'] : []),
      ...(sorted.some((rows) => rows > most) ? [`sorts ${Math.max(...sorted)} rows`] : []),
      ...(read > most ? ['reads too many rows'] : []),
    ]
    if (found.length > 0) faults += 1
    if (found.length === 0 && !values.verbose) return
    const by = nodes.flatMap(
      (node) => node['Index Name'] ?? (/Sort|Seq/.test(node['Node Type']) ? node['Node Type'] : []),
    )
    console.log(`| ${title} | ${by.join(', ')} | ${read} | ${time.toFixed(2)} | ${found.join(', ')} |`)
  }
  console.log(`\n${shapes.length} statements, ${faults} at fault`)
} finally {
  await filled.stop()
}
process.exit(faults === 0 ? 0 : 1)

/** @param {PlanNode} node @returns {PlanNode[]} */
function nodesOf(node) {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

/** @param {unknown} value */
function literalOf(value) {
  if (value === null) return 'null'
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'`
  return `'${String(value).replaceAll("'", "''")}'`
}
