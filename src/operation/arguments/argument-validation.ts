import type { z } from 'zod/v3';
import { firstOf } from '../../domain/items.ts';
import { quote, truncatedJson } from '../../domain/text.ts';
import { type AcequiaError, invalidInputError } from '../../schema/error.ts';
import { fieldMetadata, withoutIgnoredFields } from '../../schema/field.ts';
import type { AnyOperation } from '../operation.ts';
import { defaultErrorCode, inputField } from '../operation-fields.ts';
import { isWrite } from '../operation-kind.ts';

/** Deeper nesting would overflow the stack of recursive functions. */
const MAX_JSON_DEPTH = 32;

/** Throws invalid_body. */
export function assertNestingDepth(value: unknown): void {
  if (!nestsDeeperThan(value, MAX_JSON_DEPTH)) return;
  throw invalidInputError(
    'invalid_body',
    `The arguments nest deeper than ${MAX_JSON_DEPTH} levels.`,
    { hint: 'Send the arguments as the schema describes them.' },
  );
}

const nestsDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => nestsDeeperThan(each, levels - 1)));

/** Replaces each unpaired surrogate by U+FFFD, as writing it to a file would. */
export function withWellFormedTexts(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(withWellFormedTexts);
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, withWellFormedTexts(each)]),
    );
  return value;
}

/** SQLite truncates a text at U+0000, PostgreSQL rejects it. */
export function findNulPath(value: unknown): readonly (string | number)[] | null {
  if (typeof value === 'string') return value.includes('\u0000') ? [] : null;
  if (value === null || typeof value !== 'object') return null;
  // Without Object.entries, which would copy the many rows of a batch.
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

const MAX_VALUE_LENGTH = 60;

function formatValue(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return String(value);
  const text = truncatedJson(value, MAX_VALUE_LENGTH + 1);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 3)}…` : text;
}

/** Undefined if the path leads to nothing. */
function valueAt(fields: object, path: readonly (string | number)[]): unknown {
  let value: unknown = fields;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

export function validateArguments(
  operation: AnyOperation,
  fields: Record<string, unknown>,
  nameOf: (field: string) => string = (field) => field,
): Record<string, unknown> {
  assertNoNul(operation, fields, nameOf);
  const judged = withoutIgnoredFields(operation.input.shape, fields);
  const parsed = operation.input.safeParse(withWellFormedTexts(judged));
  if (parsed.success) return parsed.data;
  throw invalidArgumentError(operation, fields, parsed.error, nameOf);
}

function assertNoNul(
  operation: AnyOperation,
  fields: Record<string, unknown>,
  nameOf: (field: string) => string,
): void {
  const path = findNulPath(fields);
  if (path === null) return;

  const name = String(path[0]);
  const schema = inputField(operation, name);
  const code = schema && fieldMetadata(schema).code;
  const field = nameOf(name);

  throw invalidInputError(
    code ?? defaultErrorCode(operation, name),
    `${field} contains the character U+0000, which cannot be stored.`,
    { hint: `Send ${field} without it.`, field },
  );
}

function invalidArgumentError(
  operation: AnyOperation,
  fields: Record<string, unknown>,
  error: z.ZodError,
  nameOf: (field: string) => string,
): AcequiaError {
  const unknown = error.issues.find(({ code }) => code === 'unrecognized_keys');
  const issue = unknown ?? firstOf(error.issues);
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0)
    return unknownFieldError(operation, firstOf(issue.keys), nameOf);

  const field = String(issue.path[0]);
  const schema = inputField(operation, field);
  const metadata = schema && fieldMetadata(schema);
  const code = metadata?.code ?? defaultErrorCode(operation, field);
  const name = nameOf(field);
  const label = [name, ...issue.path.slice(1)].join('.');

  const value = valueAt(fields, issue.path);
  if (value === undefined)
    return invalidInputError(code, `${label} is missing.`, {
      hint: metadata?.hint ?? `Send the call again with ${name}.`,
      field: name,
    });

  const isReference = metadata?.kind === 'module' || metadata?.kind === 'parcel';
  const expected =
    isReference && typeof value === 'string' ? 'it must be a name or an id' : describeIssue(issue);
  return invalidInputError(code, `${label} ${formatValue(value)} is not valid: ${expected}.`, {
    hint: metadata?.hint ?? `Correct ${name} and send the call again.`,
    field: name,
  });
}

const unknownFieldError = (
  operation: AnyOperation,
  field: string,
  nameOf: (field: string) => string,
): AcequiaError =>
  invalidInputError(
    isWrite(operation) ? 'invalid_body' : 'invalid_parameter',
    `There is no field ${quote(field)}.`,
    {
      hint: `${operation.name} takes ${Object.keys(operation.input.shape).map(nameOf).join(', ')}.`,
      field,
    },
  );

/** zod names the members of an enumeration in quotes: "'planned' | 'done'". */
function describeExpectedType(expected: string): string {
  const type = TYPE_NAMES.get(expected);
  if (type !== undefined) return type;
  const members = [...expected.matchAll(/'([^']*)'/g)].map(([, member]) => member);
  return members.length === 0 ? `of type ${expected}` : `one of ${members.join(', ')}`;
}

const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ['integer', 'a whole number'],
  ['number', 'a number'],
  ['string', 'text'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
]);

const IT_MUST_BE = 'it must be ';

/** One that all kinds of a union refuse: what each of them would take. */
function describeUnion({ unionErrors }: z.ZodInvalidUnionIssue): string {
  const alternatives = unionErrors.map(({ issues }) => describeIssue(firstOf(issues)));
  const kinds = alternatives.map((each) => each.replace(IT_MUST_BE, ''));
  return `${IT_MUST_BE}${[...new Set(kinds)].join(' or ')}`;
}

function describeIssue(issue: z.ZodIssue): string {
  switch (issue.code) {
    case 'invalid_union':
      return describeUnion(issue);
    case 'invalid_literal':
      return `it must be ${JSON.stringify(issue.expected)}`;
    case 'invalid_type':
      return `it must be ${describeExpectedType(issue.expected)}`;
    case 'invalid_enum_value':
      return `it must be one of ${issue.options.join(', ')}`;
    case 'too_small':
      if (issue.type !== 'number') return `its length must be at least ${issue.minimum}`;
      return `it must be ${issue.inclusive ? 'at least' : 'above'} ${issue.minimum}`;
    case 'too_big':
      return `${issue.type === 'number' ? 'it' : 'its length'} must be at most ${issue.maximum}`;
    case 'invalid_string':
      return `it must be ${issue.validation === 'uuid' ? 'a UUID' : issue.message}`;
    case 'unrecognized_keys':
      return `it has no field ${quote(firstOf(issue.keys))}`;
    default:
      return `it must be ${issue.message}`;
  }
}
