import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { protocolNames, protocols } from '../../diff/change/protocol.js'
import type { Side } from '../../diff/change/side.js'
import type { Document } from '../../document/document.js'
import { readText } from '../../document/file.js'
import { specOfText } from '../../init/spec-source.js'
import { hasTools } from '../../mcp/has-tools.js'
import type { Model } from '../../model/model.js'
import { InvalidTarget } from '../../probe/cases/invalid-target.js'
import { Findings } from '../../probe/findings.js'
import { CommonResponse, hopelessness } from '../../probe/hopeless.js'
import { checkTools } from '../../probe/judge/tool-list-faults.js'
import { restPlace, rpcPlace, toolPlace } from '../../probe/places.js'
import { Probe } from '../../probe/probe.js'
import { failing, type TestReport, untestedText } from '../../probe/report/outcome.js'
import { Secrets } from '../../probe/secrets.js'
import { servedDocument } from '../../probe/served-document.js'
import { Shapes } from '../../probe/shapes.js'
import { Target } from '../../probe/target.js'
import { noData, readTestData } from '../../probe/test-data.js'
import { waiveFindings } from '../../probe/waive.js'
import type { Places } from '../../probe/wire.js'
import { exitCode } from '../../project/exit-code.js'
import { version } from '../../project/own-package.js'
import { progressOn } from '../../project/progress.js'
import { commandSpecs } from '../../project/project-specs.js'
import { jsonText, printable, type Terminal } from '../../project/terminal.js'
import { UsageError } from '../../project/usage-error.js'
import { toolPath } from '../../samples/tool-call.js'
import { readVersion } from '../diff/diff-reading.js'
import { write } from '../diff/diff-report.js'
import { projectWaivers } from '../diff/waivers.js'
import { hasErrors, reportErrors, textReport } from '../shared/report.js'
import type { Stages } from '../shared/stages.js'

export interface TestCommandOptions {
  readonly spec?: string
  readonly against?: string
  readonly protocol?: 'rest' | 'jsonrpc' | 'mcp' | 'all'
  readonly unsafe?: true
  readonly data?: string
  readonly seed?: string
  readonly cases: number
  readonly failFast?: true
  readonly maxFindings?: number
  readonly rate: number
  readonly time: number
  readonly timeout: number
  readonly slow?: number
  readonly waivers?: string
  readonly record?: string
  readonly format: 'text' | 'json' | 'junit' | 'sarif'
  readonly out?: string
  readonly verbose?: true
  readonly allowRemote?: true
}

/** Tests a server. Returns the exit code. */
export async function testRun(
  address: URL,
  options: TestCommandOptions,
  terminal: Terminal,
  stages: Stages,
): Promise<number> {
  const isJson = options.format === 'json' && options.out === undefined
  const waivers =
    options.waivers === undefined
      ? { file: '', files: [], diagnostics: [], waivers: [] }
      : await projectWaivers(options.waivers, terminal.cwd)
  if (hasErrors(waivers)) return reportErrors([waivers], isJson, terminal)
  const endsAt = performance.now() + 1000 * options.time
  const target = new Target(address, { rate: options.rate, timeoutMs: 1000 * options.timeout, endsAt })
  try {
    const read = await readSide(address, target, options, terminal, stages)
    if (read.side?.model === undefined) return reportErrors([read], isJson, terminal)
    if (read.tolerated > 0)
      terminal.err(`warning: ${printable(read.file)} has ${read.tolerated} errors. duet lint lists them.\n`)
    const earlier =
      options.against === undefined ? undefined : await readNamed(options.against, options, terminal, stages)
    if (earlier !== undefined && earlier.side?.model === undefined)
      return reportErrors([earlier], isJson, terminal)
    const report = await tested(address, target, read.side, read.file, options, terminal, earlier?.side)
    const { findings, stale } = waiveFindings(
      report.findings,
      waivers.waivers,
      new Date().toISOString().slice(0, 10),
    )
    const judged = { ...report, findings }
    write(await rendered(judged, options, terminal), options.out, terminal)
    if (stale.length > 0)
      terminal.err(textReport({ ...waivers, diagnostics: stale }, terminal.columns, terminal.errColours))
    if (failing(judged).length > 0 || stale.length > 0) return exitCode.failed
    const untested = untestedText(judged)
    if (untested === undefined) return exitCode.fine
    terminal.err(`${printable(untested)}\n`)
    return exitCode.invalidInput
  } catch (error) {
    if (!(error instanceof InvalidTarget)) throw error
    terminal.err(`${printable(error.message)}\n`)
    return exitCode.invalidInput
  }
}

/** A document that the command names. */
function readNamed(
  spec: string,
  { allowRemote }: Pick<TestCommandOptions, 'allowRemote'>,
  { cwd }: Pick<Terminal, 'cwd'>,
  stages: Stages,
): ReturnType<typeof readVersion> {
  const [file = spec] = commandSpecs([spec], cwd)
  return readVersion(file, cwd, stages, allowRemote === true)
}

/** The document that the command names, else the one that the server publishes. */
async function readSide(
  address: URL,
  target: Target,
  { spec, ...options }: TestCommandOptions,
  { cwd }: Terminal,
  stages: Stages,
): ReturnType<typeof readVersion> {
  if (spec !== undefined) return readNamed(spec, options, { cwd }, stages)
  const { name, text } = await servedDocument(target, address.pathname.replace(/\/+$/, ''))
  const source = specOfText(name, text, undefined, cwd)
  try {
    return await readVersion(source.file, source.cwd, stages, false)
  } finally {
    source.dispose()
  }
}

async function tested(
  address: URL,
  target: Target,
  { document, model }: Side,
  file: string,
  options: TestCommandOptions,
  terminal: Terminal,
  earlier?: Side,
): Promise<TestReport> {
  if (model === undefined) throw new RangeError('The document has no model')
  const { seed = String(Math.floor(Math.random() * 1e9)), protocol } = options
  const data = dataOf(
    options.data,
    model.operations.map(({ name }) => name),
    terminal.cwd,
  )
  const documents = [document, ...(earlier === undefined ? [] : [earlier.document])].map(({ root }) => root)
  const shapes = options.record === undefined ? undefined : new Shapes(documents)
  const rest = restPlace(address, model)
  const secrets = new Secrets(model, process.env)
  const found = await placesOf(target, rest, document, model, secrets, protocol)
  const findings = new Findings(target.origin)
  if (found.mcp !== undefined) checkTools(document, model, found.mcp, secrets, findings)
  const most = options.failFast === true ? 1 : (options.maxFindings ?? Number.POSITIVE_INFINITY)
  let stopped: string | null = null
  const isOver = (): boolean => {
    if (findings.count >= most) stopped ??= `there are ${findings.count} findings`
    else if (performance.now() > target.options.endsAt) stopped ??= `${options.time} seconds are over`
    return stopped !== null
  }
  const progress = progressOn(terminal)
  const onOperation = (done: number, all: number, name: string): void =>
    progress(`testing ${done + 1} of ${all}: ${name}`)
  const answers = new CommonResponse()
  const around = { document, model, target, places: found, secrets, findings, answers, isOver, onOperation }
  const { cases, slow: slowMs } = options
  const probing = { seed, cases, isUnsafe: options.unsafe === true, data, slowMs, shapes }
  const operations = await new Probe(around, probing).run()
  if (earlier?.model !== undefined) {
    const before = {
      document: earlier.document,
      model: earlier.model,
      secrets: new Secrets(earlier.model, process.env),
    }
    await new Probe({ ...around, ...before, now: model }, probing).run()
  }
  progress()
  const hopeless = hopelessness(findings.all, operations, answers, model)
  if (hopeless !== undefined) throw new InvalidTarget(`${target.origin}${rest} ${secrets.redacted(hopeless)}`)
  if (options.record !== undefined && shapes !== undefined)
    writeFileSync(resolve(terminal.cwd, options.record), jsonText(shapes.toJSON()))
  return {
    url: `${target.origin}${rest}`,
    document: { file, version: model.version, title: model.title },
    against: options.against ?? null,
    seed,
    protocols: protocols
      .filter((protocol) => found[protocol] !== undefined)
      .map((protocol) => protocolNames[protocol]),
    calls: target.sent,
    operations,
    findings: findings.all,
    stopped,
  }
}

/** @throws InvalidTarget if the server does not speak the protocol that the command names */
async function placesOf(
  target: Target,
  rest: string,
  document: Document,
  model: Model,
  secrets: Secrets,
  protocol: TestCommandOptions['protocol'],
): Promise<Places> {
  const isOpen = protocol === undefined || protocol === 'all'
  const isRpc = isOpen || protocol === 'jsonrpc'
  const jsonrpc = isRpc ? await rpcPlace(target, rest, document, model, protocol !== undefined) : undefined
  const mcp = isOpen || protocol === 'mcp' ? await toolPlace(target, rest, model, secrets) : undefined
  const place = `${target.origin}${rest}`
  if (protocol === 'jsonrpc' && jsonrpc === undefined)
    throw new InvalidTarget(`${place}${model.rpcPath} does not answer rpc.discover over JSON-RPC.`)
  if (protocol === 'mcp' && mcp === undefined)
    throw new InvalidTarget(
      hasTools(model)
        ? `${place}${toolPath} does not answer tools/list over MCP.`
        : 'The document has no tools (x-mcp), so nothing can be called over MCP.',
    )
  return { rest, jsonrpc, mcp }
}

function dataOf(file: string | undefined, operations: readonly string[], cwd: string) {
  if (file === undefined) return noData
  const read = readText(resolve(cwd, file))
  if ('reason' in read) throw new UsageError(`${file} cannot be read: ${read.reason}.`)
  return readTestData(file, read.text, operations)
}

async function rendered(
  report: TestReport,
  { format, verbose, out }: TestCommandOptions,
  terminal: Terminal,
): Promise<string> {
  switch (format) {
    case 'json':
      return (await import('../../probe/report/json.js')).reportJson(report)
    case 'junit':
      return (await import('../../probe/report/junit.js')).reportJunit(report)
    case 'sarif':
      return jsonText((await import('../../probe/report/sarif.js')).reportSarif(report, version()))
    default: {
      const { reportText } = await import('../../probe/report/text.js')
      const colours =
        out === undefined ? terminal.outColours : (await import('picocolors')).createColors(false)
      return reportText(report, colours, verbose === true)
    }
  }
}
