/**
 * The default export of a CommonJS module compiled by TypeScript. Node returns the module that contains the
 * export, bundlers and test runners return the export.
 */
export function defaultExport<T>(module: { readonly default: T }): T {
  return module.default ?? (module as unknown as T)
}
