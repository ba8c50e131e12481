// Prints what is installed in production as a bill of materials (CycloneDX). `npm sbom --omit dev` leaves out every package
// that a tool of the build uses too, such as pg: so it is asked for all, and says itself which are for
// development alone.
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
const isKept = (/** @type {{ properties?: { name: string, value: string }[] }} */ { properties = [] }) =>
  !properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true')
const components = all.components.filter(isKept)
const refs = new Set([all.metadata.component, ...components].map((component) => component['bom-ref']))
const dependencies = all.dependencies
  .filter((/** @type {{ ref: string }} */ { ref }) => refs.has(ref))
  .map((/** @type {{ ref: string, dependsOn: string[] }} */ { ref, dependsOn }) => ({
    ref,
    dependsOn: dependsOn.filter((other) => refs.has(other)),
  }))
process.stdout.write(`${JSON.stringify({ ...all, components, dependencies }, null, 2)}\n`)
