/** What the compiler is told in every project that duet writes a tsconfig.json for. */
export const compilerOptions = {
  target: 'ES2023',
  lib: ['ES2023'],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  skipLibCheck: true,
  sourceMap: true,
  rootDir: '.',
  outDir: 'dist',
  types: ['node'],
}
