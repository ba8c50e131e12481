import type { CallArguments, ClientCalls } from './client/client-calls.js'

/** Options of TanStack Query for the calls of a client. */
export interface QueryOptionsOf<Types> {
  /**
   * For `useQuery`. The key is the operation and its params, so `queryKey: ['clients.get']` matches all calls
   * of one operation.
   */
  queryOptions<Name extends keyof Types & string>(
    name: Name,
    ...[params]: CallArguments<ParamsOf<Types[Name]>>
  ): {
    readonly queryKey: readonly [name: Name, params: ParamsOf<Types[Name]> | undefined]
    readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<ResultOf<Types[Name]>>
  }
  /** For `useMutation`, whose variables are the params. */
  mutationOptions<Name extends keyof Types & string>(
    name: Name,
  ): {
    readonly mutationKey: readonly [name: Name]
    readonly mutationFn: (params: ParamsOf<Types[Name]>) => Promise<ResultOf<Types[Name]>>
  }
}

/** @typeParam Types the generated `OperationTypes` */
export function queryOptionsOf<Types>(client: Pick<ClientCalls<Types>, 'call'>): QueryOptionsOf<Types> {
  const call = (...args: readonly unknown[]) => Reflect.apply(client.call, client, args)
  return {
    queryOptions: (name, ...[params]) => ({
      queryKey: [name, keyable(params)],
      queryFn: ({ signal }) => call(name, params, { signal }),
    }),
    mutationOptions: (name) => ({
      mutationKey: [name],
      mutationFn: (params) => call(name, params),
    }),
  }
}

/** TanStack Query writes keys as JSON, which has no bigint: the key has its digits as text. */
function keyable<Params>(params: Params): Params {
  if (typeof params === 'bigint') return String(params) as Params
  if (Array.isArray(params)) return params.map(keyable) as Params
  if (typeof params !== 'object' || params === null || Object.getPrototypeOf(params) !== Object.prototype)
    return params
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, keyable(value)])) as Params
}

type ParamsOf<Types> = Types extends { params: infer Params } ? Params : never
type ResultOf<Types> = Types extends { result: infer Result } ? Result : never
