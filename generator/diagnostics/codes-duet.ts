import type { CodeTexts } from './code-definition.js'

/** Errors in the x- vocabulary (spec/README.md) and in the parts that make up operations. */
export const duetErrors = {
  'rpc-method-invalid': [
    'Invalid JSON-RPC method name',
    'A method name has segments of letters, digits and underscores, separated by dots. No segment starts with a digit. The prefix rpc. is reserved (JSON-RPC 2.0 section 4.3).',
    'Use a name such as clients.get, or false to keep the operation off JSON-RPC.',
  ],
  'rpc-method-duplicate': [
    'Duplicate JSON-RPC method',
    'A call is identified only by its method, so each method belongs to one operation.',
    'Change x-rpc-method of one of the operations.',
  ],
  'rpc-param-invalid': [
    'Invalid param name',
    'Params are passed by name in JSON-RPC and become fields in code; __tz is reserved for the time zone.',
    'Use letters, digits and underscores, not starting with a digit.',
  ],
  'int64-value-rounded': [
    'Value of an int64 integer is not exact',
    'Numbers in a document are read as doubles, which have about 16 digits. The config file makes int64 integers bigints or strings, which have all digits. So the value in the code may differ from the one in the document.',
    'Keep enum, const, default and bounds within ±(2^53 - 1), remove them, or set "int64": "number".',
  ],
  'errors-invalid': [
    'Invalid entry of the error catalogue',
    'x-errors maps each problem code to its title, its HTTP status and its JSON-RPC code.',
    'Write code: { title: text, status: 400 to 599, rpc: integer }.',
  ],
  'error-code-unknown': [
    'Unknown error code',
    'An operation may name codes of the document catalogue (x-errors at its root) and codes that the runtime has built in.',
    'Correct the code, or add it to x-errors at the root of the document.',
  ],
  'params-clash': [
    'Two params with one name',
    'Path, query, headers and body form one params object. Two of its fields have the same name and different schemas.',
    'Rename one of the params with x-rpc-param.',
  ],
  'rpc-method-prefix': [
    'Method name within another',
    'Dots separate namespaces in the client. There a.b cannot be both a method and the namespace of a.b.c.',
    'Change x-rpc-method of one of the two.',
  ],
  'mcp-invalid': [
    'Invalid x-mcp',
    'x-mcp is true, false, or an object of settings: name, title, description, hidden (a list of params), fixed (values by param), readOnly, destructive and idempotent.',
    'Write x-mcp: true, or correct the setting.',
  ],
  'mcp-name-invalid': [
    'Invalid tool name',
    'Clients of MCP refuse names with other characters than letters, digits, _ and -, and names of more than 64.',
    'Set a shorter name with name of x-mcp.',
  ],
  'mcp-name-duplicate': [
    'Duplicate tool name',
    'A call over MCP is identified only by its tool, so each tool belongs to one operation.',
    'Set the name of one of them with name of x-mcp.',
  ],
  'mcp-param-unknown': [
    'Unknown param of a tool',
    'hidden and fixed of x-mcp name params of the operation.',
    'Correct the name, or remove it.',
  ],
  'mcp-param-required': [
    'Hidden param is required',
    'Agents do not send a hidden param, so no call of the tool would be valid.',
    'Give the param a value with fixed of x-mcp, or do not hide it.',
  ],
  'mcp-fixed-invalid': [
    'Fixed value is invalid',
    'Every call of the tool has the value, so it must fit the schema of its param.',
    'Correct the value.',
  ],
  'mcp-path-taken': [
    'Path of MCP is taken',
    'A service answers MCP by POST at /mcp, so no other operation can have that address.',
    'Rename the path, or remove x-mcp from all operations.',
  ],
  'mcp-hint-invalid': [
    'Hint that promises too much',
    'Agents call tools without asking their users if hints permit it. So x-mcp can only make stricter what follows from the method: readOnly and idempotent may become false, destructive may become true.',
    'Remove the hint, or correct the method.',
  ],
  'extensible-enum-invalid': [
    'Invalid extensible enum',
    'x-extensible-enum lists the values known today. Others may be added.',
    'Write a list of different values.',
  ],
  'enum-fallback-invalid': [
    'Invalid fallback of an enum',
    'x-enum-fallback maps a value that another version does not have to the one that it gets instead: a value of this enum to one of an earlier version, or a removed value to one of this enum.',
    'Write a map of texts next to enum. Map removed values to values of the enum.',
  ],
} satisfies Record<string, CodeTexts>

/** Errors that only matter to a service: warnings for a project with only clients. */
export const serviceErrors = {
  'timezone-invalid': [
    'x-timezone on a schema that is not a datetime',
    'x-timezone: true marks a datetime that __tz converts; only strings with format: date-time are datetimes.',
    'Put x-timezone: true on a schema with type: string and format: date-time, or remove it.',
  ],
  'provenance-invalid': [
    'Invalid provenance',
    'x-provenance records the source of a part of the document.',
    'Use stated, inferred or assumed.',
  ],
  'provenance-missing': [
    'Provenance is missing',
    'A document that uses x-provenance uses it for every operation, parameter and schema property; a gap would count as stated.',
    'Add x-provenance: stated, inferred or assumed.',
  ],
  'sunset-invalid': [
    'Invalid sunset',
    'The Sunset header contains it (RFC 8594), so it must be a date.',
    'Write an RFC 3339 date or date-time, such as 2027-06-30.',
  ],
  'sunset-without-deprecation': [
    'Sunset without deprecation',
    'An operation is deprecated before it ends. Callers look for deprecated, not for x-sunset.',
    'Add deprecated: true, or remove x-sunset.',
  ],
  'sunset-early': [
    'Sunset before deprecation',
    'The Sunset header must not name an earlier time than the Deprecation header (RFC 9745 section 4).',
    'Correct x-sunset or x-deprecated-since.',
  ],
  'deprecation-date-invalid': [
    'Invalid deprecation date',
    'The Deprecation header contains it (RFC 9745), so it must be a date.',
    'Write an RFC 3339 date or date-time, such as 2026-01-31.',
  ],
  'stability-invalid': [
    'Invalid stability level',
    'x-stability-level tells callers how stable the operation is.',
    'Use draft, alpha, beta or stable.',
  ],
  'header-value-invalid': [
    'ETag without a value',
    'x-value points to the text in a response body that becomes the ETag header, so every such body must have that text.',
    'Write $response.body#/version on the header ETag, where version is a required property of type string.',
  ],
} satisfies Record<string, CodeTexts>
