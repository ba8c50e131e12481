import type { JsonObject } from '../document/document.js'
import type { Selection, ToolSelection } from '../load/selection.js'
import type { Strategy } from '../model/naming/naming.js'
import type { Int64 } from '../schema/int64.js'
import type { Emitter } from './emitter.js'

/** The settings of a project, in `duet.config.ts`, `.mjs`, `.js` or `.json` at its root. */
export interface UserConfig {
  /** For editors; duet does not read it. */
  readonly $schema?: string
  /** npm name of the package in `out`: `@billing/api`. */
  readonly package: string
  /** Documents: files, folders with an `openapi.yaml`, or folders of such folders. Default: `['spec']`. */
  readonly specs?: readonly string[]
  /** Folder of the generated package. Default: `generated`. */
  readonly out?: string
  /** Emitters that write additional files into every version's folder, in this order. */
  readonly emitters?: readonly (string | EmitterReference | Emitter)[]
  /** Folder with Handlebars templates that replace those with the same path in duet-templates. */
  readonly templates?: string
  /** Whether every version gets `reference/`, pages for reading and trying it. Default: `true`. */
  readonly reference?: boolean
  /** File of the waivers that `duet diff` and `duet lint` take into account. */
  readonly waivers?: string
  /** The day from which each version is not served any more, for `duet sunset`: `2027-06-30`. */
  readonly sunsets?: Readonly<Record<string, string>>
  /** Folder of the adapters between versions, which `duet adapt` writes. Default: `adapters`. */
  readonly adapters?: string
  /**
   * The baseline with which `duet lint` compares documents, to warn of breaking changes: a version under
   * spec/, a file, `git:REV:PATH`, or `previous`, the greatest lower release of the same major. As an object,
   * one for each document that it names.
   */
  readonly baseline?: string | Readonly<Record<string, string>>
  /**
   * How to name operations without `x-rpc-method`. `operationId`: by the operationId, else by path and method. `path`:
   * by path and method. `classic`: as in versions that were generated before this setting existed. An object has one
   * for each version. Default: as the version was generated, else `operationId`.
   */
  readonly naming?: Strategy | Readonly<Record<string, Strategy>>
  /** Only these operations count, by tag, path (`*` for any text) or operationId. Default: all. */
  readonly include?: Selection
  /** These operations do not count. */
  readonly exclude?: Selection
  /** These operations are tools for agents over MCP, as if they had `x-mcp: true`. */
  readonly mcp?: ToolSelection
  /** OpenAPI overlays that are applied to the documents in this order, before anything else. */
  readonly overlays?: readonly string[]
  /** For teams that only call an API: faults that only matter to a service are warnings. */
  readonly only?: readonly ['client']
  /**
   * The TypeScript type of integers with format int64 and uint64. In JSON they are always numbers. Default:
   * `number`.
   */
  readonly int64?: Int64
}

/** An emitter with options. A plain text is an emitter without options. */
export interface EmitterReference {
  /** Path of a module relative to the config file's folder, or name of a package. */
  readonly use: string
  readonly options?: JsonObject
}

/** Returns the settings unchanged. Its type makes editors complete and check them. */
export function defineConfig(config: UserConfig): UserConfig {
  return config
}
