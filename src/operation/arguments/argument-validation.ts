import type { z } from 'zod/v3';
import { firstOf } from '../../domain/items.ts';
import { truncatedJson } from '../../domain/strings.ts';
import {
  argument,
  argumentNames,
  code,
  description,
  operationName,
} from '../../domain/text/program-names.ts';
import { programText, uniqueTexts } from '../../domain/text/program-text.ts';
import { commaSeparated, join, quotedName, say, verbatim, word } from '../../domain/text/say.ts';
import type { Name, Text } from '../../domain/text/text.ts';
import { type AcequiaError, invalidInputError } from '../../schema/error.ts';
import { expectedText, type LimitUnit, limitText } from '../../schema/expected.ts';
import { fieldMetadata, withoutIgnoredFields } from '../../schema/field.ts';
import type { AnyOperation } from '../operation.ts';
import { defaultErrorCode, inputField } from '../operation-fields.ts';
import { isWrite } from '../operation-kind.ts';
import { schemaAt } from './argument-words.ts';

/** Deeper nesting would overflow the stack of recursive functions. */
const MAX_JSON_DEPTH = 32;

/** Throws invalid_body. */
export function assertNestingDepth(value: unknown): void {
  if (!nestsDeeperThan(value, MAX_JSON_DEPTH)) return;
  throw invalidInputError(
    'invalid_body',
    say`The arguments nest deeper than ${MAX_JSON_DEPTH} levels.`,
    { hint: say`Send the arguments as the schema describes them.` },
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

export function quotedValue(value: unknown): Name {
  if (typeof value === 'string') return quotedName(value);
  if (typeof value === 'number') return verbatim(String(value));
  const text = truncatedJson(value, MAX_VALUE_LENGTH + 1);
  return verbatim(
    text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 3)}…` : text,
  );
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

/** An error quotes values as they were `sent`, before words and units in them were read. */
export function validateArguments(
  operation: AnyOperation,
  fields: Record<string, unknown>,
  nameOf: (field: string) => string = (field) => field,
  sent: Record<string, unknown> = fields,
): Record<string, unknown> {
  assertNoNul(operation, fields, nameOf);
  const judged = withoutIgnoredFields(operation.input.shape, fields);
  const parsed = operation.input.safeParse(withWellFormedTexts(judged));
  if (parsed.success) return parsed.data;
  throw invalidArgumentError(operation, { fields, sent }, parsed.error, nameOf);
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
    say`${argument(field)} contains the character U+0000, which cannot be stored.`,
    { hint: say`Send ${argument(field)} without it.`, field },
  );
}

interface ReadFields {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly sent: Readonly<Record<string, unknown>>;
}

function invalidArgumentError(
  operation: AnyOperation,
  { fields, sent }: ReadFields,
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
    return invalidInputError(code, say`${argument(label)} is missing.`, {
      hint: metadata?.hint ?? say`Send the call again with ${argument(name)}.`,
      field: name,
    });

  const unit = schema ? unitAt(schema, issue.path.slice(1)) : null;
  const isReference = metadata?.kind === 'module' || metadata?.kind === 'parcel';
  const expected = isReference ? referenceText(issue, value) : describeIssue(issue, unit);
  return invalidInputError(
    code,
    say`${argument(label)}${valueText(issue.path, valueAt(sent, issue.path) ?? value)} is not valid: ${expected}.`,
    {
      hint: metadata?.hint ?? say`Correct ${argument(name)} and send the call again.`,
      field: name,
    },
  );
}

/** A number is set apart from the one before it: "Weekday 1, 0, is not valid". */
function valueText(path: readonly (string | number)[], value: unknown): Text {
  const text = quotedValue(value);
  return typeof path.at(-1) === 'number' && typeof value === 'number'
    ? say`${description(say`, ${text},`, ` ${text.text}`)}`
    : say` ${text}`;
}

/** Over REST it is an id alone. */
function referenceText(issue: z.ZodIssue, value: unknown): Text {
  const text = say`it must be a name or an id`;
  if (typeof value === 'string') return text;
  return say`${description(text, programText(describeIssue(issue, null)))}`;
}

function unitAt(schema: z.ZodTypeAny, path: readonly (string | number)[]): LimitUnit | null {
  const member = schemaAt(schema, path.map(String));
  if (member === undefined) return null;
  const { unit, plainUnit } = fieldMetadata(member);
  return unit ?? (plainUnit && { plain: plainUnit });
}

const unknownFieldError = (
  operation: AnyOperation,
  field: string,
  nameOf: (field: string) => string,
): AcequiaError =>
  invalidInputError(
    isWrite(operation) ? 'invalid_body' : 'invalid_parameter',
    say`There is no field ${quotedName(field)}.`,
    {
      hint: say`${operationName(operation.name)} takes ${argumentNames(Object.keys(operation.input.shape).map(nameOf))}.`,
      field,
    },
  );

/** zod names the members of an enumeration in quotes: "'planned' | 'done'". */
function describeExpectedType(expected: string, unit: LimitUnit | null): Text {
  const type = TYPE_NAMES.get(expected);
  if (type !== undefined)
    return unit !== null && typeof unit === 'object' && NUMBER_TYPES.has(expected)
      ? say`${description(say`${type} in ${word(unit.plain)}`, programText(type))}`
      : type;
  const members = [...expected.matchAll(/'([^']*)'/g)].map(([, member = '']) => member);
  return members.length === 0 ? say`of type ${verbatim(expected)}` : oneOf(members);
}

const NUMBER_TYPES: ReadonlySet<string> = new Set(['integer', 'number']);

const TYPE_NAMES: ReadonlyMap<string, Text> = new Map([
  ['integer', say`a whole number`],
  ['number', say`a number`],
  ['string', say`text`],
  ['boolean', say`true or false`],
  ['array', say`a list`],
  ['object', say`an object`],
]);

const oneOf = (members: readonly (string | number)[]): Text =>
  say`one of ${commaSeparated(members.map((member) => code(String(member))))}`;

/** One that all kinds of a union refuse: what each of them would take. */
function describeUnion({ unionErrors }: z.ZodInvalidUnionIssue, unit: LimitUnit | null): Text {
  const alternatives = unionErrors.map(({ issues }) => requirement(firstOf(issues), unit));
  return join(uniqueTexts(alternatives), say` or `);
}

function describeIssue(issue: z.ZodIssue, unit: LimitUnit | null): Text {
  const required = requirement(issue, unit);
  return saysItAll(issue) ? required : say`it must be ${required}`;
}

/** True if its text is no end of "it must be". */
const saysItAll = (issue: z.ZodIssue): boolean =>
  issue.code === 'unrecognized_keys' ||
  ((issue.code === 'too_small' || issue.code === 'too_big') && issue.type !== 'number');

function requirement(issue: z.ZodIssue, unit: LimitUnit | null): Text {
  switch (issue.code) {
    case 'invalid_union':
      return describeUnion(issue, unit);
    case 'invalid_literal':
      return say`${verbatim(JSON.stringify(issue.expected))}`;
    case 'invalid_type':
      return describeExpectedType(issue.expected, unit);
    case 'invalid_enum_value':
      return oneOf(issue.options);
    case 'too_small':
      if (issue.type !== 'number') return say`its length must be at least ${Number(issue.minimum)}`;
      return say`${issue.inclusive ? say`at least` : say`above`} ${limitText(Number(issue.minimum), unit, 'min')}`;
    case 'too_big':
      return issue.type === 'number'
        ? say`at most ${limitText(Number(issue.maximum), unit, 'max')}`
        : say`its length must be at most ${Number(issue.maximum)}`;
    case 'invalid_string':
      return issue.validation === 'uuid' ? say`a UUID` : expectedText(issue);
    case 'unrecognized_keys':
      return say`it has no field ${quotedName(firstOf(issue.keys))}`;
    default:
      return expectedText(issue);
  }
}
