/**
 * The generator as a library, stage by stage: {@link loadDocument} reads a document, {@link lint} checks it,
 * {@link buildModel} turns it into operations, {@link emit} writes what is generated. No stage throws for what
 * stands in a document; what is wrong comes back as {@link Diagnostic}s.
 */
export { emit } from './emit/emit.js'
export { emitPackage } from './emit/package.js'
export type { EmittedFiles, Emitter, EmitterTools } from './extend/emitter.js'
export { defineConfig, type EmitterReference, type UserConfig } from './extend/user-config.js'
export { lint } from './lint/lint.js'
export { type Code, type CodeDefinition, catalogue } from './load/catalogue.js'
export type { Diagnostic } from './load/diagnostic.js'
export type { Document, InputFile, Json, JsonObject, Position } from './load/document.js'
export { type Loaded, loadDocument } from './load/load.js'
export type { SentRequest } from './mock/sent-request.js'
export { buildModel } from './model/build.js'
export type { Model, Operation, Provenance } from './model/model.js'
export type { Schema } from './model/schema.js'
