import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Formats } from '../contains/schema/dialect.js'
import { isObject, type Json } from '../contains/values/value.js'
import type { Verdict } from '../contains/verdict.js'
import { type Dialect, dialects } from '../document/vocabulary.js'
import { hasMergedNumbers } from '../document/written-digits.js'
import { parseJson } from '../load/text/json-source.js'
import { yaml } from '../load/text/yaml.js'
import { parseYaml } from '../load/text/yaml-source.js'
import { exitCode } from '../project/exit-code.js'
import type { Terminal } from '../project/terminal.js'
import { UsageError } from '../project/usage-error.js'
import { InvalidInput } from './shared/invalid-input.js'
import type { Stages } from './shared/stages.js'

interface ContainsOptions {
  readonly dialect?: Dialect
  readonly jsonl?: true
  readonly budget: number
  readonly assertFormats?: true
}

/** `duet contains`: whether every instance of one JSON schema is an instance of another. */
export function addContains(
  program: Command,
  terminal: Terminal,
  _stages: Stages,
  exit: (code: number) => void,
  input: NodeJS.ReadableStream = process.stdin,
): void {
  program
    .command('contains')
    .summary('is every instance of schema A an instance of schema B?')
    .description(
      'Decides whether every instance of JSON Schema A is an instance of JSON Schema B. If not, prints a witness: an instance of A that B rejects, checked with AJV.',
    )
    .argument('[a]', 'a file, or FILE#/pointer to a schema in it')
    .argument('[b]', 'the other schema, in the same form')
    .addOption(
      new Option(
        '--dialect <draft>',
        'draft of the schemas (default: what $schema says, else 2020-12)',
      ).choices(dialects),
    )
    .option('--jsonl', 'read one question per line from standard input, write one answer per line')
    .option('--budget <ms>', 'processor time per question, in milliseconds', milliseconds, 1000)
    .option('--assert-formats', 'assert formats in 2019-09 and 2020-12 too')
    .addHelpText('after', examples)
    .action(async (a: string | undefined, b: string | undefined, options: ContainsOptions) => {
      if (options.jsonl === true) {
        if (a !== undefined)
          throw new UsageError('--jsonl reads the schemas from standard input. Omit A and B.')
        return exit(await answerLines(input, options, terminal))
      }
      if (a === undefined || b === undefined)
        throw new UsageError('contains needs two schemas, A and B, or --jsonl.')
      exit(await answerPair(a, b, options, terminal))
    })
}

const examples = `
A question is {"a": SCHEMA, "b": SCHEMA, "dialect": "draft4|draft6|draft7|2019-09|2020-12"} (without
dialect as above). Answers come in the order of the questions:

  {"verdict": "contained"}                        proved
  {"verdict": "not-contained", "witness": VALUE}  A accepts the value and B rejects it, and AJV confirms it
  {"verdict": "unknown", "reason": TEXT}          neither was found

A line that is not a question has the answer unknown. Empty lines are skipped.

Examples:
  duet contains old.json new.json
  duet contains api.json#/components/schemas/Client client.json --dialect draft7
  duet contains --jsonl < questions.jsonl > answers.jsonl

Exit codes: 0 contained, 1 not contained or unknown, 2 wrong usage, 3 a schema cannot be read. With --jsonl: 0 every
line was a question, 3 some line was not.
`

async function answerPair(
  a: string,
  b: string,
  options: ContainsOptions,
  terminal: Terminal,
): Promise<number> {
  const [first, second] = [readSchema(a, terminal.cwd), readSchema(b, terminal.cwd)]
  const { Containment } = await import('../contains/containment.js')
  const dialect = options.dialect ?? dialectOf(first.document) ?? dialectOf(second.document) ?? '2020-12'
  const containment = new Containment({ dialect, ...limits(options) })
  const [subjectA, subjectB] = [first, second].map(({ document, pointer, name }) => {
    try {
      return containment.subject(document, pointer)
    } catch (error) {
      throw unreadable(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  })
  if (subjectA === undefined || subjectB === undefined) throw new RangeError('Not two schemas')
  const verdict = exact(containment.decide(subjectA, subjectB), [first.document, second.document])
  terminal.out(`${JSON.stringify(verdict)}\n`)
  return verdict.verdict === 'contained' ? exitCode.fine : exitCode.failed
}

async function answerLines(
  input: NodeJS.ReadableStream,
  options: ContainsOptions,
  terminal: Terminal,
): Promise<number> {
  const { contains } = await import('../contains/contains.js')
  let code: number = exitCode.fine
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    const question = readQuestion(line)
    let verdict: Verdict
    if (typeof question === 'string') {
      code = exitCode.invalidInput
      verdict = { verdict: 'unknown', reason: question }
    } else {
      const { a, b } = question
      const dialect = options.dialect ?? question.dialect ?? dialectOf(a) ?? dialectOf(b) ?? '2020-12'
      verdict = exact(contains(a, b, { dialect, ...limits(options) }), [a, b])
    }
    terminal.out(`${JSON.stringify(verdict)}\n`)
  }
  return code
}

/** Proofs read numbers as doubles, so numbers that become one double prove nothing. */
function exact(verdict: Verdict, schemas: readonly Json[]): Verdict {
  if (verdict.verdict !== 'contained') return verdict
  const known = new Map<number, string>()
  const isMerged = (value: Json): boolean =>
    typeof value === 'object' &&
    value !== null &&
    (hasMergedNumbers(value, known) || Object.values(value).some(isMerged))
  const reason = 'the schemas have numbers that differ only in digits that a double does not hold'
  return schemas.some(isMerged) ? { verdict: 'unknown', reason } : verdict
}

function limits({ budget, assertFormats }: ContainsOptions): { budgetMs: number; formats: Formats } {
  return { budgetMs: budget, formats: assertFormats === true ? 'asserted' : 'specified' }
}

function readQuestion(line: string): { a: Json; b: Json; dialect: Dialect | undefined } | string {
  let question: Json
  try {
    question = jsonOf(line)
  } catch (error) {
    return `the line is not JSON: ${error instanceof Error ? error.message : String(error)}`
  }
  if (!isObject(question)) return 'the line is not a JSON object'
  const { a, b, dialect } = question
  if (!Object.hasOwn(question, 'a') || a === undefined) return 'the line has no schema "a"'
  if (!Object.hasOwn(question, 'b') || b === undefined) return 'the line has no schema "b"'
  const known = dialects.find((one) => one === dialect)
  if (dialect !== undefined && known === undefined)
    return `"dialect" is ${JSON.stringify(dialect)}, not one of ${dialects.join(', ')}`
  return { a, b, dialect: known }
}

function readSchema(name: string, cwd: string): { document: Json; pointer: string; name: string } {
  const at = name.indexOf('#')
  const [file, pointer] = at < 0 ? [name, ''] : [name.slice(0, at), name.slice(at + 1)]
  let text: string
  try {
    text = readFileSync(resolve(cwd, file), 'utf8')
  } catch (error) {
    throw unreadable(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  try {
    return { document: /\.ya?ml$/i.test(file) ? yamlOf(text) : jsonOf(text), pointer, name }
  } catch (error) {
    throw unreadable(`${file} is not JSON or YAML: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The readers of documents note digits that a double does not hold. They refuse more, such as a key that is there twice. */
function jsonOf(text: string): Json {
  return parseJson('', text).value ?? JSON.parse(text)
}

function yamlOf(text: string): Json {
  return parseYaml('', text).value ?? yaml().parse(text)
}

function unreadable(message: string): InvalidInput {
  return new InvalidInput(message, false)
}

function dialectOf(schema: Json): Dialect | undefined {
  const address = isObject(schema) && Object.hasOwn(schema, '$schema') ? schema.$schema : undefined
  const draft =
    typeof address === 'string' ? /\/draft-?(04|06|07|\/2019-09|\/2020-12)\//.exec(address)?.[1] : undefined
  if (draft === undefined) return undefined
  const name = draft.startsWith('/') ? draft.slice(1) : `draft${Number(draft)}`
  return dialects.find((dialect) => dialect === name)
}

function milliseconds(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('Write a whole number from 1 to 9999999.')
  return Number(text)
}
