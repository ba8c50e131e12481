// Publishes the packages together, at one version:
//   npm run release -- --dry-run                      builds, packs and checks; publishes nothing
//   npm run release                                   publishes, with provenance
//   npm run release -- --registry URL --no-provenance publishes to a private registry
//   npm run release -- --no-build ...                 packs what the last build wrote
import './help.mjs'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { copyDocs } from './docs/package.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values: options } = parseArgs({
  allowNegative: true,
  options: {
    build: { type: 'boolean', default: true },
    'dry-run': { type: 'boolean', default: false },
    provenance: { type: 'boolean', default: true },
    registry: { type: 'string' },
  },
})

// In dependency order, so that each published package finds its dependencies.
const folders = ['runtime', 'templates', 'generator', 'generator/create-duet']
const packages = folders.map((folder) => ({ folder, manifest: JSON.parse(read(`${folder}/package.json`)) }))
const version = packages[0]?.manifest.version
const names = new Set(packages.map(({ manifest }) => manifest.name))

const faults = [...packages.flatMap(faultsOf), ...changelogFaults(), ...treeFaults()]
if (faults.length > 0) fail(faults.join('\n'))
if (options.build && !builds()) fail('The build failed.')

const scratch = mkdtempSync(join(tmpdir(), 'duet-release-'))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
const archives = packages.map(({ folder }) => pack(folder))
for (const { name, size, unpackedSize, entryCount } of archives)
  console.log(
    `${name}@${version}  ${kilobytes(size)} packed, ${kilobytes(unpackedSize)} in ${entryCount} files`,
  )
const incomplete = archives.flatMap(contentFaults)
if (incomplete.length > 0) fail(incomplete.join('\n'))
for (const { name, filename } of archives) publish(name, join(scratch, filename))
console.log(options['dry-run'] ? 'Nothing has been published.' : `Published ${version}.`)

function builds() {
  return spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' }).status === 0
}

/** @param {(typeof packages)[number]} entry */
function faultsOf({ folder, manifest }) {
  const { name, dependencies = {} } = manifest
  return [
    ...(manifest.version === version ? [] : [`${name} has the version ${manifest.version}, not ${version}.`]),
    ...Object.entries(dependencies)
      .filter(([other, range]) => names.has(other) && range !== version)
      .map(([other, range]) => `${name} depends on ${other} ${range}, not ${version}.`),
    ...(manifest.private === true ? [`${name} is private.`] : []),
    ...(read(`${folder}/LICENSE`) === read('LICENSE')
      ? []
      : [`${folder}/LICENSE is not the LICENSE of the project.`]),
  ]
}

function changelogFaults() {
  const hasSection = read('CHANGELOG.md')
    .split('\n')
    .some((line) => line === `## ${version}` || line.startsWith(`## ${version} `))
  return hasSection ? [] : [`CHANGELOG.md has no section "## ${version}".`]
}

/** A release to the public registry must come from a clean commit. */
function treeFaults() {
  if (options['dry-run'] || options.registry !== undefined) return []
  const { stdout } = spawnSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })
  return stdout === '' ? [] : ['There are changes that are not committed.']
}

/** @param {string} folder @returns {Archive} */
function pack(folder) {
  const archive = packed(join(root, folder))
  if (folder !== 'generator') return archive
  // The command includes its documentation, which is outside of its folder.
  const { status } = spawnSync('tar', ['-xzf', join(scratch, archive.filename), '-C', scratch])
  if (status !== 0) fail(`${archive.filename} cannot be unpacked.`)
  copyDocs(join(scratch, 'package/docs'))
  return packed(join(scratch, 'package'))
}

/** @param {string} cwd @returns {Archive} */
function packed(cwd) {
  const args = ['pack', '--json', '--pack-destination', scratch]
  const { stdout, stderr, status } = spawnSync('npm', args, { cwd, encoding: 'utf8' })
  if (status !== 0) fail(stderr)
  return JSON.parse(stdout)[0]
}

/** @param {Archive} archive */
function contentFaults({ name, files }) {
  const paths = files.map(({ path }) => path)
  return [
    ...['LICENSE', 'README.md', 'package.json', ...(name === 'duet-api' ? ['docs/llms.txt'] : [])]
      .filter((path) => !paths.includes(path))
      .map((path) => `${name} has no ${path}.`),
    ...paths
      .filter((path) => /\.test\.(?:js|d\.ts)$|\.tsbuildinfo$/.test(path))
      .map((path) => `${name} holds ${path}.`),
  ]
}

/** @param {string} name @param {string} archive */
function publish(name, archive) {
  const args = ['publish', archive, '--access', 'public', '--tag', version.includes('-') ? 'next' : 'latest']
  if (options.registry !== undefined) args.push('--registry', options.registry)
  if (options['dry-run']) args.push('--dry-run')
  // Only a build in public CI can have provenance, so a dry run elsewhere only shows the option.
  else if (options.provenance) args.push('--provenance')
  console.log(`> npm publish ${name}${options.provenance ? ' --provenance' : ''}`)
  const { status, stderr } = spawnSync('npm', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) fail(stderr)
}

/** @param {string} file */
function read(file) {
  return readFileSync(join(root, file), 'utf8')
}

/** @param {number} bytes */
function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`
}

/** @param {string} message @returns {never} */
function fail(message) {
  console.error(message)
  process.exit(1)
}

/** @typedef {{ name: string, filename: string, size: number, unpackedSize: number, entryCount: number, files: { path: string }[] }} Archive */
