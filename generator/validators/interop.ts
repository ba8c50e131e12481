/**
 * The default export of a CommonJS module of TypeScript's making. Node hands out the module with the
 * export inside, bundlers and test runners the export itself.
 */
export function defaultExport<T>(module: { readonly default: T }): T {
  return module.default ?? (module as unknown as T)
}
