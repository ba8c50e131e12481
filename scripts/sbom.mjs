// Prints a bill of materials (CycloneDX) of the service in production: its dependencies, which are what the
// image contains. `npm sbom --omit dev` would omit every package that a build tool uses too, such as pg, and
// include the generator's packages. So this asks npm for all packages and selects from them.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application']
const { status, stdout, stderr } = spawnSync('npm', args, {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
if (status !== 0) {
  process.stderr.write(stderr)
  process.exit(1)
}
const all = JSON.parse(stdout)
const service = all.components.find(
  (/** @type {Component} */ { purl }) => purl?.startsWith('pkg:npm/%40billing/service@') === true,
)
if (service === undefined) throw new Error('npm lists no @billing/service')
/** @type {Map<string, string[]>} */
const dependenciesOf = new Map(
  all.dependencies.map((/** @type {Dependencies} */ { ref, dependsOn = [] }) => [ref, dependsOn]),
)
const refs = new Set([service['bom-ref']])
// Iterating a Set includes members that are added meanwhile.
for (const ref of refs) for (const other of dependenciesOf.get(ref) ?? []) refs.add(other)
const isKept = (/** @type {string} */ ref) => refs.has(ref)
const parts = {
  ...all,
  metadata: { ...all.metadata, component: { ...service, type: 'application' } },
  components: all.components.filter(
    (/** @type {Component} */ component) => component !== service && isKept(component['bom-ref']),
  ),
  dependencies: all.dependencies.filter((/** @type {Dependencies} */ { ref }) => isKept(ref)),
}
process.stdout.write(`${JSON.stringify(parts, null, 2)}\n`)

/** @typedef {{ 'bom-ref': string, purl?: string }} Component */
/** @typedef {{ ref: string, dependsOn?: string[] }} Dependencies */
