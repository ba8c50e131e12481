import { rmSync } from 'node:fs'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { createColors } from 'picocolors'
import { exitCode } from '../../project/exit-code.js'
import { superviseBy } from '../../project/modules/supervision.js'
import { jsonText, printable, type Terminal } from '../../project/terminal.js'

/** Whether a command runs code that a team has written between two versions. */
export function runsTeamCode([name, ...options]: readonly string[]): boolean {
  const has = (option: string): boolean =>
    options.some((one) => one === option || one.startsWith(`${option}=`))
  return name === 'adapt' ? has('--check') || has('--module') : name === 'diff' && has('--adapters')
}

/**
 * Runs a command in a thread of its own. So code of a team that ends its process, never comes to an end or leaves a timer
 * behind does so to the thread alone: this one still says what happened, and returns the exit code.
 *
 * @param entry the module that runs the command
 */
export function runApart(entry: string, args: readonly string[], terminal: Terminal): Promise<number> {
  const { out, err, outColours, errColours, ...given } = terminal
  const data: Apart = {
    apart: { ...given, colours: [outColours.isColorSupported, errColours.isColorSupported] },
  }
  const worker = new Worker(entry, { argv: [...args], workerData: data })
  const files = new Set<string>()
  let step = 'its code'
  let timer: NodeJS.Timeout | undefined
  let found: number | undefined
  let fault: string | undefined
  const wait = (seconds: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      fault = `did not end within ${seconds} seconds`
      void worker.terminate()
    }, seconds * 1000)
  }
  worker.on('message', (message: Message) => {
    if ('out' in message) out(message.out)
    else if ('err' in message) err(message.err)
    else if ('wrote' in message) files.add(message.wrote)
    else if ('code' in message) found = message.code
    else {
      step = message.step ?? step
      wait(message.step === undefined ? IDLE_SECONDS : message.seconds)
    }
  })
  worker.on('error', (error: unknown) => {
    fault = `throws ${error instanceof Error ? error.message : String(error)}`
  })
  return new Promise((resolve) => {
    worker.on('exit', () => {
      clearTimeout(timer)
      for (const file of files) rmSync(file, { force: true })
      if (found === undefined) tell(`fails    ${step}: ${fault ?? 'ends the process'}`, args, terminal)
      resolve(found ?? exitCode.failed)
    })
  })
}

/** The terminal of the thread that runs this one. Undefined: this thread runs the command itself. */
export function terminalApart(): { readonly terminal: Terminal; end(code: number): void } | undefined {
  const port = parentPort
  if (isMainThread || port === null || !isApart(workerData)) return undefined
  const { colours, ...given } = workerData.apart
  const tell = (message: Message): void => port.postMessage(message)
  superviseBy({ step: (step, seconds) => tell({ step, seconds }), wrote: (wrote) => tell({ wrote }) })
  const [outColours, errColours] = colours.map((has) => createColors(has))
  return {
    terminal: {
      ...given,
      out: (out) => tell({ out }),
      err: (err) => tell({ err }),
      outColours: outColours ?? createColors(false),
      errColours: errColours ?? createColors(false),
    },
    end(code) {
      tell({ code })
      process.exit(code)
    },
  }
}

function tell(line: string, args: readonly string[], { out, err }: Terminal): void {
  const [name] = args
  if (name === 'diff') err(`${printable(line)}\n`)
  else if (args.some((one) => one === 'json' || one === '--format=json'))
    out(jsonText({ ok: false, stale: [], faults: [line] }))
  else out(`${printable(line)}\n`)
}

/** Seconds that the thread may be busy between two steps. */
const IDLE_SECONDS = 120

interface Apart {
  readonly apart: Omit<Terminal, 'out' | 'err' | 'outColours' | 'errColours'> & {
    readonly colours: readonly boolean[]
  }
}

function isApart(data: unknown): data is Apart {
  return typeof data === 'object' && data !== null && 'apart' in data
}

type Message =
  | { readonly out: string }
  | { readonly err: string }
  | { readonly wrote: string }
  | { readonly code: number }
  | { readonly step: string | undefined; readonly seconds: number }
