import { createHash } from 'node:crypto'
import type { NameValue } from 'ajv/dist/compile/codegen/scope.js'
import { ValueScope, ValueScopeName } from 'ajv/dist/compile/codegen/scope.js'
import type { ValidationForm } from './validation-form.js'

/** Name of the function that checks a side of an operation. It does not depend on the rest of the document. */
export function operationFunction(
  side: 'params' | 'result' | 'piece' | 'failure',
  operation: string,
): string {
  const plain = operation.split('.').every((part) => /^[A-Za-z0-9]+(?:_[A-Za-z0-9]+)*$/.test(part))
  const spelled = operation.replaceAll('_', '__').replaceAll('.', '_')
  return `${side}_${plain ? spelled : withDigest(operation)}`
}

/** Name of the function that checks the body of an operation's errors. */
export function failureFunction(operation: string, response: string): string {
  return operationFunction('failure', operation).replace('failure', `failure${response}`)
}

/** Name of the function that checks a result as one media type. */
export function contentFunction(operation: string, type: string): string {
  return `${operationFunction('result', operation)}${mark}${withDigest(type)}`
}

/** Name of the function that writes what another one checks. `part` counts nested objects. */
export function textFunction(checking: string, part = 0): string {
  return `text${part === 0 ? '' : part}_${checking}`
}

/** Name of a pattern for the functions that write. */
export function textPattern(source: string): string {
  return `textPattern_${digest(source)}`
}

/** Name of the function that checks a component schema in one of its forms. */
export function componentFunction(name: string, form: ValidationForm): string {
  const plain = /^[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*$/.test(name)
  const spelled = plain ? name.replaceAll('-', '__') : withDigest(name)
  return `component_${spelled}${form === 'params' ? '' : `${mark}${form}`}`
}

/**
 * AJV's names of values of the module, derived from their meaning. AJV's own are numbered, so one more schema
 * would rename all later ones.
 */
export class StableScope extends ValueScope {
  private current = ''

  constructor() {
    super({ scope: {}, prefixes, lines: true })
  }

  /** The function that owns the next names. */
  enter(functionName: string): void {
    this.current = functionName
  }

  override name(prefix: string): ValueScopeName {
    return prefix === 'validate' ? new ValueScopeName(prefix, this.current) : super.name(prefix)
  }

  override value(nameOrPrefix: ValueScopeName | string, value: NameValue): ValueScopeName {
    if (typeof nameOrPrefix !== 'string') return super.value(nameOrPrefix, value)
    return super.value(new ValueScopeName(nameOrPrefix, this.nameOf(nameOrPrefix, value)), value)
  }

  private nameOf(prefix: string, { key, code }: NameValue): string {
    if (prefix === 'schema') return `schema_${this.current}`
    if (prefix === 'formats') return `format_${String(key).replace(/[^A-Za-z0-9]/g, '_')}`
    if (prefix === 'pattern') return `pattern_${digest(String(key))}`
    const text = String(code)
    const word = prefix === 'func' ? /(\w+)(?:"\)\.default)?$/.exec(text)?.[1] : undefined
    return `${prefix}_${word ?? digest(text)}`
  }
}

const prefixes = new Set([
  'validate',
  'wrapper',
  'root',
  'schema',
  'keyword',
  'pattern',
  'formats',
  'validate$data',
  'func',
  'obj',
  'Error',
])

/** Separates the digest. No name without a digest contains it. */
const mark = '___'

function withDigest(name: string): string {
  return `${name.replace(/[^A-Za-z0-9]+/g, '_')}${mark}${digest(name)}`
}

function digest(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 10)
}
