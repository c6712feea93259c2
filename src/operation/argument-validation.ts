import type { z } from 'zod';
import { truncatedJson } from '../language/text.ts';
import { type AcequiaError, invalidInput } from '../schema/error.ts';
import { fieldMetadata } from '../schema/field.ts';
import { inputField } from './input-fields.ts';
import { quote } from './name-resolution.ts';
import { type AnyOperation, defaultErrorCode, isWrite } from './operation.ts';

/** What of a text a store keeps: no U+0000, at which SQLite and PostgreSQL end or refuse it, and no half surrogate pairs. */

/** The value with every text in it well-formed: half a surrogate pair becomes U+FFFD, as it would on the way to a file. */
export function withWellFormedTexts<T>(value: T): T {
  if (typeof value === 'string') return value.toWellFormed() as T;
  if (Array.isArray(value)) return value.map(withWellFormedTexts) as T;
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withWellFormedTexts(each)])) as T;
  return value;
}

/** Where a text of the value holds a NUL, as the path to it; null where none does. */
export function findNulPath(value: unknown): readonly (string | number)[] | null {
  if (typeof value === 'string') return value.includes('\u0000') ? [] : null;
  if (value === null || typeof value !== 'object') return null;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const path = findNulPath(value[index]);
      if (path) return [index, ...path];
    }
    return null;
  }
  for (const [name, each] of Object.entries(value)) {
    const path = findNulPath(each);
    if (path) return [name, ...path];
  }
  return null;
}

/** Longest JSON of a value in a message, in characters. */
const MAX_VALUE_LENGTH = 60;

/** How a value is shown in a message: short, on one line. */
function formatValue(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return String(value);
  const text = truncatedJson(value, MAX_VALUE_LENGTH + 1);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 3)}…` : text;
}

function valueAt(fields: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<string | number, unknown> | undefined)?.[key], fields);
}

/**
 * The arguments as the operation runs on them (instants in ms). The first one missing or malformed is refused with its
 * own code, or with invalid_body or invalid_parameter by its place; `named` says what the caller calls a field.
 */
export function validateArguments(
  operation: AnyOperation,
  fields: Record<string, unknown>,
  named: (field: string) => string = (field) => field,
): Record<string, unknown> {
  refuseNul(operation, fields, named);
  const read = operation.input.safeParse(withWellFormedTexts(fields));
  if (read.success) return read.data;
  throw invalidArgument(operation, fields, read.error, named);
}

function refuseNul(operation: AnyOperation, fields: Record<string, unknown>, named: (field: string) => string): void {
  const path = findNulPath(fields);
  if (path === null) return;
  const name = String(path[0]);
  const schema = inputField(operation, name);
  const code = schema && fieldMetadata(schema).code;
  throw invalidInput(
    code ?? defaultErrorCode(operation, name),
    `${named(name)} holds the character U+0000, which no store keeps.`,
    {
      hint: `Send ${named(name)} without it.`,
      field: named(name),
    },
  );
}

function invalidArgument(
  operation: AnyOperation,
  fields: Record<string, unknown>,
  error: z.ZodError,
  named: (field: string) => string,
): AcequiaError {
  const issue = error.issues.find((each) => each.code === 'unrecognized_keys') ?? error.issues[0]!;
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0)
    return invalidInput(
      isWrite(operation) ? 'invalid_body' : 'invalid_parameter',
      `${quote(issue.keys[0]!)} is not a field of ${operation.name}.`,
      {
        hint: `It takes ${Object.keys(operation.input.shape).map(named).join(', ')}.`,
        field: issue.keys[0],
      },
    );
  const name = String(issue.path[0]);
  const schema = inputField(operation, name);
  const facts = schema === undefined ? null : fieldMetadata(schema);
  const code = facts?.code ?? defaultErrorCode(operation, name);
  const value = valueAt(fields, issue.path);
  const isReference = (facts?.kind === 'module' || facts?.kind === 'parcel') && typeof value === 'string';
  const label = [named(name), ...issue.path.slice(1)].join('.');
  return invalidInput(
    code,
    value === undefined
      ? `${label} is missing.`
      : `${label} ${formatValue(value)} is not right: ${isReference ? 'a name or an id is needed' : describeIssue(issue)}.`,
    {
      hint: facts?.hint ?? `Correct ${named(name)}: ${schema?.description ?? innerDescription(schema)}`,
      field: named(name),
    },
  );
}

const innerDescription = (schema: z.ZodTypeAny | undefined): string =>
  (schema as { unwrap?: () => z.ZodTypeAny } | undefined)?.unwrap?.().description ?? 'see its description.';

/** A type that zod names; of an enum it quotes the members: 'planned' | 'done'. */
function describeExpectedType(expected: string): string {
  if (expected === 'integer') return 'a whole number';
  const members = [...expected.matchAll(/'([^']*)'/g)].map(([, member]) => member);
  return members.length === 0 ? expected : `one of ${members.join(', ')}`;
}

function describeIssue(issue: z.ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `${describeExpectedType(issue.expected)} is needed`;
    case 'invalid_enum_value':
      return `one of ${issue.options.join(', ')} is needed`;
    case 'too_small':
      return `${issue.type === 'number' ? `${issue.inclusive ? 'at least' : 'above'} ${issue.minimum}` : `at least ${issue.minimum} long`} is needed`;
    case 'too_big':
      return `${issue.type === 'number' ? `at most ${issue.maximum}` : `at most ${issue.maximum} long`} is needed`;
    case 'invalid_string':
      return issue.validation === 'uuid' ? 'a UUID is needed' : `${issue.message} is needed`;
    case 'unrecognized_keys':
      return `${quote(issue.keys[0]!)} is not a field of it`;
    default:
      return `${issue.message} is needed`;
  }
}
