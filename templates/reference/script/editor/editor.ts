import { isSchema, type Schema } from '../page.js'
import { choicesOf } from './editor-choice.js'
import type { Editor, EditorOptions } from './editor-part.js'
import { alternativeEditor, arrayEditor, objectEditor } from './editor-structure.js'
import { choiceEditor, fileEditor, jsonEditor, textEditor } from './editor-value.js'
import { StandIn } from './stand-ins.js'

/** The editor for a schema. */
export function editorOf(schema: Schema, given: EditorOptions): Editor {
  const options = given.initial instanceof StandIn ? { ...given, initial: undefined } : given
  if (schema.$binary === true) return fileEditor(schema, options)
  if (Array.isArray(schema.enum)) return choiceEditor(schema, schema.enum, options)
  if ('const' in schema) return choiceEditor(schema, [schema.const], options)
  const [alternatives] = choicesOf(schema)
  if (alternatives !== undefined && !isSchema(schema.properties))
    return alternativeEditor(schema, alternatives, options)
  const types = typesOf(schema)
  const [type] = types.filter((name) => name !== 'null')
  const isNullable = types.includes('null')
  const isPlain = types.filter((name) => name !== 'null').length === 1
  if (isPlain && type === 'boolean')
    return choiceEditor(schema, [true, false, ...(isNullable ? [null] : [])], options)
  if (isPlain && (type === 'string' || type === 'integer' || type === 'number'))
    return textEditor(schema, type, isNullable, options)
  const isOne = isPlain && !isNullable
  if (options.depth < 3 && isOne && type === 'array' && isSchema(schema.items))
    return arrayEditor(schema, schema.items, options)
  if (options.depth < 3 && isOne && type === 'object' && isSchema(schema.properties))
    return objectEditor(schema, options)
  return jsonEditor(schema, options)
}

function typesOf({ type, properties }: Schema): string[] {
  if (Array.isArray(type)) return type.map(String)
  if (typeof type === 'string') return [type]
  return isSchema(properties) ? ['object'] : []
}
