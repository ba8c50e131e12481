/**
 * The generator as a library, stage by stage: {@link loadDocument} reads a document, {@link lint} checks it,
 * {@link buildModel} turns it into operations, {@link emit} returns the generated files. No stage throws because of a
 * fault in a document: it returns {@link Diagnostic}s.
 */

export { type Code, catalogue } from './diagnostics/catalogue.js'
export type { CodeDefinition } from './diagnostics/code-definition.js'
export type { Diagnostic } from './diagnostics/diagnostic.js'
export type { Document, InputFile, Json, JsonObject, Position } from './document/document.js'
export { emit } from './emit/emit.js'
export { emitPackage } from './emit/package.js'
export { lint } from './lint/lint.js'
export { type Loaded, loadDocument } from './load/load.js'
export { buildModel } from './model/build/build.js'
export type { Model, Operation, Provenance } from './model/model.js'
export type { EmittedFiles, Emitter, EmitterTools } from './project/emitter.js'
export { defineConfig, type EmitterReference, type UserConfig } from './project/user-config.js'
export type { SentRequest } from './samples/sent-request.js'
export type { Schema } from './schema/schema.js'
