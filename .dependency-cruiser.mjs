/** The folders of each package, a row above what it may import: the drawing in ARCHITECTURE.md, "Folders". */
const columns = {
  generator: [
    ['cli'],
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
  ],
  options: {
    includeOnly: '^(generator|runtime|service|templates)/',
    exclude: '/dist/|\\.test\\.ts$|/fixtures/|/testing/',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
  },
}
