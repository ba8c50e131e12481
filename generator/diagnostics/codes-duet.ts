import type { CodeTexts } from './code-definition.js'

/** Errors in the x- vocabulary (spec/README.md) and in the parts that make up operations. */
export const duetErrors = {
  'rpc-method-invalid': [
    'Invalid JSON-RPC method name',
    'A method is dotted segments of letters, digits and underscores, not starting with a digit; rpc. is reserved (JSON-RPC 2.0 section 4.3).',
    'Use a name such as clients.get, or false to keep the operation off JSON-RPC.',
  ],
  'rpc-method-duplicate': [
    'JSON-RPC method given twice',
    'A call names nothing but its method, so each method belongs to one operation.',
    'Give one of the operations another x-rpc-method.',
  ],
  'rpc-param-invalid': [
    'Invalid param name',
    'Params are passed by name in JSON-RPC and become fields in code; __tz is reserved for the time zone.',
    'Use letters, digits and underscores, not starting with a digit.',
  ],
  'timezone-invalid': [
    'x-timezone does not fit',
    'x-timezone: true marks a datetime that __tz converts; only strings with format: date-time are datetimes.',
    'Put x-timezone: true on a schema with type: string and format: date-time, or remove it.',
  ],
  'int64-value-rounded': [
    'Value of an int64 integer is not exact',
    'The numbers of a document are read as doubles, and the config file makes int64 integers bigints or strings, which have all digits. So the value that is checked or filled in may be another one than the document has.',
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
  'provenance-invalid': [
    'Invalid provenance',
    'x-provenance says how a part of the document is known.',
    'Use stated, inferred or assumed.',
  ],
  'provenance-missing': [
    'Provenance is missing',
    'A document that uses x-provenance uses it for every operation, parameter and schema property; a gap would pass for stated.',
    'Add x-provenance: stated, inferred or assumed.',
  ],
  'sunset-invalid': [
    'Invalid sunset',
    'The Sunset header is made from it (RFC 8594), so it has to be a date.',
    'Write an RFC 3339 date or date-time, such as 2027-06-30.',
  ],
  'sunset-without-deprecation': [
    'Sunset without deprecation',
    'What ends some day is deprecated before; callers look for deprecated, not for x-sunset.',
    'Add deprecated: true, or remove x-sunset.',
  ],
  'sunset-early': [
    'Sunset before deprecation',
    'The Sunset header must not name an earlier time than the Deprecation header (RFC 9745 section 4).',
    'Correct x-sunset or x-deprecated-since.',
  ],
  'deprecation-date-invalid': [
    'Invalid deprecation date',
    'The Deprecation header is made from it (RFC 9745), so it has to be a date.',
    'Write an RFC 3339 date or date-time, such as 2026-01-31.',
  ],
  'stability-invalid': [
    'Invalid stability level',
    'x-stability-level says what callers may rely on.',
    'Use draft, alpha, beta or stable.',
  ],
  'params-clash': [
    'Two params of one name',
    'Path, query, headers and body make one object of params; two of its fields have one name and different schemas.',
    'Give one of them another name among the params with x-rpc-param.',
  ],
  'rpc-method-prefix': [
    'Method name within another',
    'Dots make namespaces in the client, where a.b cannot be both a method and the namespace of a.b.c.',
    'Give one of the two another x-rpc-method.',
  ],
  'schema-recursion': [
    'Schema that refers to itself in place',
    'The schema leads to itself without reaching into a property or an item, so checking a value has no end.',
    'Take one of the references out.',
  ],
  'header-value-invalid': [
    'Header made of nothing',
    'The header ETag of an answer is a text of its body that x-value points to, so every such body has to have it.',
    'Write $response.body#/version on the header ETag, where version is a required property of type string.',
  ],
  'extensible-enum-invalid': [
    'Invalid extensible enum',
    'x-extensible-enum lists the values known today; others may follow.',
    'Write a list of different values.',
  ],
} satisfies Record<string, CodeTexts>
