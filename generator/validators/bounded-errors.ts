import { MAX_VIOLATIONS } from 'duet-runtime/validation'

/**
 * Changes AJV's source of a function so that it collects few more errors than callers receive. A loop over
 * items or members ends after that many. Of the errors of a called function, no more are added, while AJV
 * copies all of them each time. Changes only whole lines, and AJV begins no line with text of a document.
 */
export function boundErrors(source: string): string {
  return source
    .replace(pushed, 'vErrors === null ? (vErrors = [$1]) : vErrors.push($1);\nerrors++;')
    .replace(called, 'vErrors = merged(vErrors, $1);')
    .replace(items, `const from_$2 = errors;\nfor($1; $3 && errors < from_$2 + ${MAX_VIOLATIONS}; $2++){`)
    .replace(
      members,
      `const from_$1 = errors;\nfor(const $1 in $2){\nif(errors >= from_$1 + ${MAX_VIOLATIONS}) break;`,
    )
}

const pushed =
  /^if\(vErrors === null\)\{\nvErrors = \[(err\d+)\];\n\}\nelse \{\nvErrors\.push\(\1\);\n\}\nerrors\+\+;$/gm

const called = /^vErrors = vErrors === null \? (\w+\.errors) : vErrors\.concat\(\1\);$/gm
const items = /^for\((let (i\d+)=\d+); (\2<len\d+); \2\+\+\)\{$/gm
const members = /^for\(const (key\d+) in (data\d*)\)\{$/gm
