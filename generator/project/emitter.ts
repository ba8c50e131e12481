import type { JsonObject } from '../document/document.js'
import type { Model, Operation } from '../model/model.js'
import type { ExampleCall } from '../samples/example-call.js'
import type { SentRequest } from '../samples/sent-request.js'

/** Writes files of a version beside those that duet writes itself. A function of the model and nothing else. */
export interface Emitter {
  /** What messages call it. */
  readonly name: string
  /**
   * Files by their path within the version's folder, with forward slashes. The same model has to give the
   * same texts, or `duet generate --check` never passes.
   */
  readonly emit: (
    model: Model,
    tools: EmitterTools,
  ) => EmittedFiles | Promise<EmittedFiles> | AsyncEmittedFiles
}

/** Pairs of path and text; a Map is one. */
export type EmittedFiles = Iterable<readonly [path: string, text: string]>

/** The same, as an async generator gives it. */
export type AsyncEmittedFiles = AsyncIterable<readonly [path: string, text: string]>

export interface EmitterTools {
  /** The `options` that the config file gives this emitter; empty where it gives none. */
  readonly options: JsonObject
  /** A call that the document shows, else one made from the schemas; always the same one. Not validated. */
  readonly example: (operation: Operation) => ExampleCall
  /**
   * The HTTP request of a call as the generated client sends it, without credentials.
   *
   * @throws TypeError for params that cannot be sent
   */
  readonly request: (operation: Operation, params: JsonObject) => Promise<SentRequest>
  /**
   * Renders a Handlebars template by its path in the config's `templates` folder, else in duet-templates.
   * Nothing is escaped but by the helpers `md` (Markdown) and `html`.
   */
  readonly render: (template: string, data: object) => string
}
