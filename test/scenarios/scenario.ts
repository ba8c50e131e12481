import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OperationValidators } from 'duet-runtime'
import * as validation from 'duet-runtime/validation'
import ts from 'typescript'
import { inject } from 'vitest'
import type { Diagnostic } from '../../generator/diagnostics/diagnostic.js'
import { objectOf } from '../../generator/document/cursor.js'
import type { Json, JsonObject } from '../../generator/document/document.js'
import { isArray, isObject } from '../../generator/document/json.js'
import { parsePointer, valueAt } from '../../generator/document/pointer.js'
import { emit } from '../../generator/emit/emit.js'
import { loadDocument } from '../../generator/load/load.js'
import { buildModel } from '../../generator/model/build/build.js'
import type { Neighbours } from '../../generator/reference/neighbours.js'
import type { Int64 } from '../../generator/schema/int64.js'

/** A document's text through all stages: what is generated, or what is wrong with it. */
export interface Outcome {
  readonly files: ReadonlyMap<string, string>
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Runs a document through load, model and emit. To YAML text, `openapi` and `info` are added where they lack.
 *
 * @param reference what its reference says of other versions; undefined: it has none
 * @param int64 what int64 integers are in TypeScript
 */
export async function generate(
  document: string | JsonObject,
  reference?: Neighbours,
  int64?: Int64,
): Promise<Outcome> {
  const folder = free.pop() ?? mkdtempSync(join(inject('scratch'), 'scenario-'))
  const name = typeof document === 'string' ? 'openapi.yaml' : 'openapi.json'
  try {
    writeFileSync(
      join(folder, name),
      typeof document === 'string' ? completed(document) : JSON.stringify(document),
    )
    const loaded = loadDocument(name, { cwd: folder })
    if (loaded.document === undefined) return { files: new Map(), diagnostics: loaded.diagnostics }
    const { model, diagnostics } = buildModel(loaded.document, undefined, undefined, int64)
    const files =
      model === undefined
        ? new Map<string, string>()
        : await emit(model, loaded.files, name, { ...(reference && { reference }) })
    return { files, diagnostics: [...loaded.diagnostics, ...diagnostics] }
  } finally {
    free.push(folder)
  }
}

/** Folders to write documents to again. */
const free: string[] = []

/** At the end of the text, so that lines keep their numbers. */
function completed(yaml: string): string {
  const missing = [
    ...(/^openapi:/m.test(yaml) ? [] : ['openapi: 3.1.0']),
    ...(/^info:/m.test(yaml) ? [] : ['info: { title: Scenario, version: 1.0.0 }']),
  ]
  return [yaml.trimEnd(), ...missing, ''].join('\n')
}

/** Text of the whole top-level statement that declares a name, its doc comment included. */
export function statementOf(source: string, name: string): string | undefined {
  const file = ts.createSourceFile('scenario.ts', source, ts.ScriptTarget.Latest, true)
  const found = file.statements.find((statement) => declaredNames(statement).includes(name))
  return found
    ?.getFullText()
    .replace(/^\/\/ .*\n/, '')
    .trim()
}

/** The value at a JSON pointer of a JSON file, indented. */
export function jsonAt(source: string, pointer: string): string | undefined {
  const value = valueAt(JSON.parse(source) as Json, parsePointer(pointer) ?? [])
  return value === undefined ? undefined : JSON.stringify(value, null, 2)
}

/**
 * What a reader sees of a section, or without an id of the page's first one, except its console: a line a block, the
 * cells of a row side by side.
 */
export function sectionText(html: string, id: string): string | undefined {
  const start = new RegExp(id === '' ? '<section' : `<section[^>]* id="${id}"`).exec(html)?.index
  if (start === undefined) return undefined
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' }
  return html
    .slice(start, html.indexOf('</section>', start))
    .replace(/<div class="console"[\s\S]*?(?=<div class="details">)/g, '')
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replace(/<\/t[hd]>\s*(?=<t[hd])/g, ' | ')
    .replace(/<(h[2-4]|summary)\b/g, '\n<$1')
    .replace(/<\/(tr|p|h\d|div|li|summary|dd|pre)>/g, '\n')
    .replace(/<\/dt>/g, ': ')
    .replace(/<[^>]*>/g, '')
    .replace(/&([\w#]+);/g, (whole, name: string) => entities[name] ?? whole)
    .split('\n')
    .map((line) =>
      line
        .replace(/[| ]+$/, '')
        .replace(/ +/g, ' ')
        .trim(),
    )
    .filter((line) => line !== '')
    .join('\n')
}

/** One line a diagnostic, its place and remedy with it. */
export function diagnosticsText(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .map(({ code, severity, at, message, remedy, related = [] }) =>
      [
        `${severity} ${code} at ${at.line}:${at.column}`,
        `  ${message}`,
        `  ${remedy}`,
        ...related.map((other) => `  see ${other.at.line}:${other.at.column}: ${other.message}`),
      ].join('\n'),
    )
    .join('\n')
}

/** The validators of an emitted `validators.js`, with the runtime's sources as what it imports. */
export function loadValidators(source: string): Readonly<Record<string, OperationValidators>> {
  const imports = /^import \{([^}]*)\} from 'duet-runtime\/validation'$/m
  const names = imports.exec(source)?.[1] ?? ''
  const body = source.replace(imports, '').replace('export const validators =', 'return')
  const imported: Record<string, unknown> = { ...validation }
  const list = names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const run = new Function(...list, `"use strict";${body}`)
  return run(...list.map((name) => imported[name]))
}

/** A document with the keys of every object in it in the opposite order. */
export function reversedObject(value: JsonObject): JsonObject {
  return objectOf(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item)]),
  )
}

function reversed(value: Json): Json {
  if (isArray(value)) return value.map(reversed)
  return isObject(value) ? reversedObject(value) : value
}

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map((declaration) => declaration.name.getText())
  }
  const named =
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isFunctionDeclaration(statement)
  return named && statement.name !== undefined ? [statement.name.text] : []
}
