import { isCertain, isExact } from '../values/decimal.js'
import { beginsNumber, endOfNumber, endOfString, isLongNumber } from '../values/json-scan.js'
import { pointerTo } from './pointer.js'

/** JSON pointers (RFC 6901) of the numbers that {@link inexactPlaces} finds. */
export function* inexactNumbers(text: string): Generator<string> {
  for (const { pointer } of inexactPlaces(text)) yield pointer
}

/** A number in a JSON text that a double does not hold exactly. */
export interface InexactNumber {
  /** The number's text. */
  readonly token: string
  /** JSON pointer (RFC 6901), shortened if it is long. */
  readonly pointer: string
  /** The names and indices on the way to the number. Like `pointer`, read it before the search continues. */
  readonly keys: readonly string[]
}

/**
 * Finds the numbers in a JSON text that a double does not hold exactly, in their order. The text must have
 * been parsed: its grammar is not checked again. A generator that keeps nothing, so callers can stop the
 * search at any number.
 */
export function* inexactPlaces(text: string): Generator<InexactNumber> {
  let around: Container | undefined
  for (let i = 0; i < text.length; i++) {
    const mark = text[i] ?? ''
    switch (mark) {
      case '"': {
        const end = endOfString(text, i)
        if (around?.awaitsName === true) around.name = text.slice(i, end + 1)
        i = end
        break
      }
      case '{':
      case '[':
        around = new Container(around, mark === '{')
        break
      case '}':
      case ']':
        around = around?.parent
        break
      case ':':
        if (around !== undefined) around.awaitsName = false
        break
      case ',':
        around?.next()
        break
      default: {
        if (!beginsNumber(mark.charCodeAt(0))) break
        const end = endOfNumber(text, i)
        const token = isLongNumber(text, i, end) ? text.slice(i, end) : undefined
        if (token !== undefined && !isExact(token)) yield new FoundNumber(token, around)
        i = end - 1
      }
    }
  }
}

/** JSON pointers of the numbers of a parsed value that may have had more digits in their text. */
export function* uncertainNumbers(value: unknown, pointer = ''): Generator<string> {
  if (typeof value === 'number') {
    if (!isCertain(value)) yield pointer
  } else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) {
      yield* uncertainNumbers(Reflect.get(value, key), pointerTo(pointer, key))
    }
  }
}

/** Computes its pointer when asked; ask before the search continues. */
class FoundNumber implements InexactNumber {
  readonly token: string
  readonly #around: Container | undefined

  constructor(token: string, around: Container | undefined) {
    this.token = token
    this.#around = around
  }

  get pointer(): string {
    return pointerOf(this.#around)
  }

  get keys(): readonly string[] {
    return this.#around?.keys ?? []
  }
}

/** An array or object of the text, and the search's position in it. */
class Container {
  readonly parent: Container | undefined
  readonly #isObject: boolean
  awaitsName: boolean
  /** The member's name as the text has it. */
  name = '""'
  #index = 0
  /** Pointer of the member or item. Built on first use, since a long name may precede many numbers. */
  #pointer: string | undefined
  #key: string | undefined

  constructor(parent: Container | undefined, isObject: boolean) {
    this.parent = parent
    this.#isObject = isObject
    this.awaitsName = isObject
  }

  next(): void {
    this.awaitsName = this.#isObject
    this.#index += 1
    this.#pointer = undefined
    this.#key = undefined
  }

  get pointer(): string {
    this.#pointer ??= pointerTo(pointerOf(this.parent), this.key)
    return this.#pointer
  }

  get keys(): readonly string[] {
    return [...(this.parent?.keys ?? []), this.key]
  }

  get key(): string {
    this.#key ??= this.#isObject ? nameOf(this.name) : `${this.#index}`
    return this.#key
  }
}

function pointerOf(container: Container | undefined): string {
  return container === undefined ? '' : container.pointer
}

function nameOf(text: string): string {
  return JSON.parse(text)
}
