import type { JsonObject } from '../document/document.js'
import type { Model, Operation } from '../model/model.js'
import type { ExampleCall } from '../samples/example-call.js'
import type { SentRequest } from '../samples/sent-request.js'

/** Writes additional files of a version. A function of the model and nothing else. */
export interface Emitter {
  /** The name in messages. */
  readonly name: string
  /**
   * Files by their path within the version's folder, with forward slashes. The same model must give the same
   * texts, or `duet generate --check` never passes.
   */
  readonly emit: (
    model: Model,
    tools: EmitterTools,
  ) => EmittedFiles | Promise<EmittedFiles> | AsyncEmittedFiles
}

/** Pairs of path and text, such as a Map. */
export type EmittedFiles = Iterable<readonly [path: string, text: string]>

/** The same, from an async generator. */
export type AsyncEmittedFiles = AsyncIterable<readonly [path: string, text: string]>

export interface EmitterTools {
  /** The `options` for this emitter in the config file. Empty if there are none. */
  readonly options: JsonObject
  /** An example call in the document, else one generated from the schemas. Always the same one. Not validated. */
  readonly example: (operation: Operation) => ExampleCall
  /**
   * The HTTP request of a call as the generated client sends it, without credentials.
   *
   * @throws TypeError for params that cannot be sent
   */
  readonly request: (operation: Operation, params: JsonObject) => Promise<SentRequest>
  /**
   * Renders a Handlebars template by its path in the config's `templates` folder, else in duet-templates.
   * Only the helpers `md` (Markdown) and `html` escape text.
   */
  readonly render: (template: string, data: object) => string
}
