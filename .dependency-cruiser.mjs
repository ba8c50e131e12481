/** Folders without code of the package itself. */
const others = ['bin', 'create-duet', 'deploy', 'dist', 'fixtures', 'node_modules', 'testing']

/** The folders of each package, a row above what it may import: the drawing in ARCHITECTURE.md, "Folders". */
const columns = {
  generator: [
    ['cli'],
    ['probe'],
    ['adapt'],
    ['stubs'],
    ['emit'],
    ['mock', 'init'],
    ['reference'],
    ['diff'],
    ['lint', 'extend'],
    ['types', 'validators'],
    ['project'],
    ['code'],
    ['mcp'],
    ['samples'],
    ['model'],
    ['contains'],
    ['schema'],
    ['load'],
    ['patterns'],
    ['diagnostics', 'cache'],
    ['document'],
  ],
  runtime: [
    ['shadow'],
    ['mcp'],
    ['rest', 'jsonrpc'],
    ['http'],
    ['server'],
    ['usage'],
    ['client'],
    ['validation'],
    ['contract'],
    ['patterns'],
    ['values'],
  ],
  service: [
    ['server'],
    ['admin', 'commands'],
    ['http'],
    ['data'],
    ['usage'],
    ['settings'],
    ['limits', 'handlers', 'adapters'],
    ['identity'],
    ['storage'],
  ],
}

const upwards = Object.entries(columns).flatMap(([root, rows]) =>
  rows.flatMap((row, at) =>
    row.map((folder) => {
      const below = rows.slice(at + 1).flat()
      return {
        name: `${root}/${folder} imports only what is below it`,
        severity: 'error',
        from: { path: `^${root}/${folder}/` },
        to: {
          path: `^${root}/[^/]+/`,
          pathNot: `^${root}/(${['node_modules', folder, ...below].join('|')})/`,
        },
      }
    }),
  ),
)

/** A new folder has no rule above, so it needs a place in a column. */
const placed = Object.entries(columns).flatMap(([root, rows]) => {
  const name = `each folder of ${root} is in its column`
  const unknown = { path: `^${root}/[^/]+/`, pathNot: `^${root}/(${[...others, ...rows.flat()].join('|')})/` }
  return [
    { name, severity: 'error', from: unknown, to: {} },
    { name, severity: 'error', from: { pathNot: unknown.path }, to: unknown },
    { name, severity: 'error', from: { ...unknown, orphan: true }, to: {} },
  ]
})

/**
 * What a package exports is above its folders: the files of the root may import all of them, and none imports these.
 */
const exported = {
  name: 'no folder of runtime imports a file of its root',
  severity: 'error',
  from: { path: '^runtime/[^/]+/' },
  to: { path: '^runtime/[^/]+$' },
}

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'folders-in-one-direction',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
    ...upwards,
    ...placed,
    exported,
  ],
  options: {
    includeOnly: '^(generator|runtime|service|templates)/',
    // A command that loads a team's modules compiles them next to their sources, while it runs.
    exclude: '/dist/|\\.test\\.ts$|/fixtures/|/testing/|/\\.[^/]+\\.mjs$',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
  },
}
