import { keyText, stringText, valueText } from '../../code/literal.js'
import { type Grouped, namesOf, type ObjectPlan, type Plan } from './plan.js'
import { testText } from './value-test.js'

/** An expression that converts the value of an expression. Lines after the first are indented by `margin` columns. */
export function planText(plan: Plan, value: string, margin: number): string {
  switch (plan.kind) {
    case 'keep':
      return value
    case 'wrap': {
      const text = `{ ${keyText(plan.member)}: ${value} }`
      return plan.nullable ? nullable(value, text) : text
    }
    case 'unwrap': {
      const text = `${value}${accessText(plan.member)}`
      return plan.nullable ? nullable(value, text) : text
    }
    case 'list': {
      const text = `${value}.map((item) => ${bodyText(planText(plan.items, 'item', margin))})`
      return plan.nullable ? nullable(value, text) : text
    }
    case 'tagged': {
      const member = `${value}${accessText(plan.tag)}`
      const changed = plan.branches.filter((branch) => branch.plan.kind !== 'keep')
      const choices = changed.map(({ values, plan: own }) => {
        const tests = values.map((one) => `${member} === ${valueText(one, Number.POSITIVE_INFINITY)}`)
        return `${tests.join(' || ')} ? ${planText(own, value, margin + 2)} : `
      })
      const text = `${choices.join('')}${value}`
      return plan.nullable ? nullable(value, text) : text
    }
    case 'object': {
      const text = objectText(plan, value, margin)
      if (plan.isMixed) {
        const test = `typeof ${value} === 'object'${plan.nullable ? ` && ${value} !== null` : ''}`
        return `${test} ? ${text} : ${value}`
      }
      return plan.nullable ? nullable(value, text) : text
    }
  }
}

/** The body of an arrow function. An object needs parentheses. `isWeak`: TypeScript refuses its type. */
export function bodyText(expression: string, isWeak = false): string {
  if (isWeak) return `(${expression}) as never`
  return expression.startsWith('{') ? `(${expression})` : expression
}

/** Whether the code of a plan calls `without`. */
export function usesWithout(plan: Plan): boolean {
  return hasObject(plan, (object) => object.pass.size > 0 || namesWithout(object).length > 0)
}

/** Whether the code of a plan calls `keptIf`. */
export function usesKeptIf(plan: Plan): boolean {
  return hasObject(plan, ({ pass }) => [...pass.values()].some((test) => test !== undefined))
}

function hasObject(plan: Plan, isSought: (object: ObjectPlan) => boolean): boolean {
  switch (plan.kind) {
    case 'keep':
    case 'wrap':
    case 'unwrap':
      return false
    case 'list':
      return hasObject(plan.items, isSought)
    case 'tagged':
      return plan.branches.some((branch) => hasObject(branch.plan, isSought))
    case 'object':
      return isSought(plan) || [...plan.members.values()].some((one) => hasObject(one.plan, isSought))
  }
}

function objectText(plan: ObjectPlan, value: string, margin: number): string {
  const { rename, set, members, gather, spread } = plan
  const names = namesWithout(plan)
  let base =
    names.length === 0 ? value : `without(${[value, ...names.map((name) => stringText(name))].join(', ')})`
  for (const [name, test] of plan.pass)
    if (test !== undefined) base = callText('keptIf', [base, stringText(name), testText(test)], margin)
  const within = margin + 2
  const parts: string[] = []
  const add = (name: string, text: string, from: string, required: boolean): void => {
    const member = `${keyText(name)}: ${text}`
    parts.push(required ? member : `...(${isThere(value, from)} && { ${member} })`)
  }
  for (const [from, { to, required }] of rename)
    if (!members.has(from)) {
      const access = `${value}${accessText(from)}`
      add(to, access, from, required)
    }
  for (const [name, { plan, required }] of members) {
    const access = `${value}${accessText(name)}`
    add(rename.get(name)?.to ?? name, planText(plan, access, within), name, required)
  }
  for (const [name, group] of gather) parts.push(gatheredText(name, group, value, within))
  for (const [name, group] of spread) {
    const from = `${value}${accessText(name)}`
    for (const [inner, isRequired] of group.members) {
      const member = `${keyText(inner)}: ${from}${accessText(inner)}`
      const test = isThere(from, inner, !group.required)
      parts.push(isRequired ? member : `...(${test} && { ${member} })`)
    }
  }
  for (const [name, stated] of set)
    parts.push(`${keyText(name)}: ${valueText(stated, 80, ' '.repeat(within))}${constText(stated)}`)
  if (parts.length === 0) return base
  const all = [`...${base}`, ...parts]
  return literalText(all, margin)
}

/** A call, on one line if it fits. */
function callText(name: string, given: readonly string[], margin: number): string {
  const flat = `${name}(${given.join(', ')})`
  if (!flat.includes('\n') && flat.length + margin < 96) return flat
  const [space, end] = [' '.repeat(margin + 2), ' '.repeat(margin)]
  const lines = given.map((text) => `${space}${text.replaceAll('\n', '\n  ')},\n`)
  return `${name}(\n${lines.join('')}${end})`
}

/** An object of these parts, on one line if it fits. */
function literalText(parts: readonly string[], margin: number): string {
  const flat = `{ ${parts.join(', ')} }`
  if (!flat.includes('\n') && flat.length + margin < 96) return flat
  const space = ' '.repeat(margin + 2)
  return `{\n${parts.map((part) => `${space}${part},\n`).join('')}${' '.repeat(margin)}}`
}

/** `group: { one: value.one, two: value.two }` */
function gatheredText(name: string, { members, required }: Grouped, value: string, margin: number): string {
  const accesses = Array.from(members.keys(), (inner) => `${value}${accessText(inner)}`)
  const parts = Array.from(members, ([inner, isMade], index) => {
    const member = `${keyText(inner)}: ${accesses[index]}`
    return isMade ? member : `...(${isThere(value, inner)} && { ${member} })`
  })
  const text = (at: number): string => `${keyText(name)}: ${literalText(parts, at)}`
  if (required) return text(margin)
  const test = Array.from(members.keys(), (inner) => isThere(value, inner)).join(' || ')
  return `...((${test}) && {\n${' '.repeat(margin + 2)}${text(margin + 2)},\n${' '.repeat(margin)}})`
}

/** Members that the converted object does not take over as they are. TypeScript keeps the type of an optional one. */
function namesWithout({ drop, pass, rename, members, gather, spread }: ObjectPlan): readonly string[] {
  const optional = [...members].flatMap(([name, { required }]) => (required ? [] : [name]))
  const gathered = [...gather.values()].flatMap(namesOf)
  const untested = [...pass].flatMap(([name, test]) => (test === undefined ? [name] : []))
  return [...new Set([...drop, ...untested, ...rename.keys(), ...gathered, ...spread.keys(), ...optional])]
}

/** A text keeps its literal type. TypeScript refuses `as const` after null. */
function constText(value: unknown): string {
  return typeof value === 'object' ? '' : ' as const'
}

/**
 * Whether an object has a member. Every object inherits some names, such as `constructor`.
 *
 * @param isOptional whether the object itself may be missing
 */
function isThere(value: string, name: string, isOptional = false): string {
  const access = accessText(name)
  const optional = `${value}?.${access.startsWith('.') ? access.slice(1) : access}`
  const test = `${isOptional ? optional : value + access} !== undefined`
  if (!(name in Object.prototype)) return test
  const there = isOptional ? `${value} !== undefined && ` : ''
  return `${there}Object.hasOwn(${value}, ${stringText(name)}) && ${test}`
}

function accessText(name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) && name !== '__proto__'
    ? `.${name}`
    : `[${stringText(name)}]`
}

function nullable(value: string, text: string): string {
  return `${value} === null ? null : ${text}`
}
