import type { WireCall } from './wire-call.js'

/** A call with Go's `net/http`, as a program. */
export function goCall({ method, target, key, headers, secrets, isBasic, body }: WireCall): string {
  const content = body === undefined ? undefined : 'json' in body ? JSON.stringify(body.json) : body.text
  const address = `os.Getenv("BASE_URL")${target === '' ? '' : `+${goText(target)}`}${key === undefined ? '' : `+url.QueryEscape(os.Getenv(${goText(key)}))`}`
  const packages = [
    ...['fmt', 'io', 'log', 'net/http'],
    ...(key === undefined ? [] : ['net/url']),
    ...['os', ...(content === undefined ? [] : ['strings'])],
  ]
  const statements = [
    ...(content === undefined ? [] : [`body := strings.NewReader(${goText(content)})`]),
    `request, err := http.NewRequest(${goText(method)}, ${address}, ${content === undefined ? 'nil' : 'body'})`,
    ...failing,
    ...(isBasic ? ['request.SetBasicAuth(os.Getenv("API_USER"), os.Getenv("API_PASSWORD"))'] : []),
    ...secrets.map(({ header, value }) => {
      const parts = value.map((part) =>
        typeof part === 'string' ? goText(part) : `os.Getenv(${goText(part.variable)})`,
      )
      return `request.Header.Set(${goText(header)}, ${parts.join('+')})`
    }),
    ...headers.map(([name, value]) => `request.Header.Set(${goText(name)}, ${goText(value)})`),
    'response, err := http.DefaultClient.Do(request)',
    ...failing,
    'defer response.Body.Close()',
    'result, err := io.ReadAll(response.Body)',
    ...failing,
    'fmt.Println(response.StatusCode, string(result))',
  ]
  return [
    ...['package main', ''],
    ...['import (', ...packages.map((name) => `\t"${name}"`), ')', ''],
    ...['func main() {', ...statements.map((line) => `\t${line}`), '}'],
  ].join('\n')
}

const failing = ['if err != nil {', '\tlog.Fatal(err)', '}']

/** A string literal of Go: raw if the text is plain and contains quotes. */
function goText(text: string): string {
  return text.includes('"') && /^[ !-_a-~]*$/.test(text) ? `\`${text}\`` : JSON.stringify(text)
}
