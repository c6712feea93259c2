import { z } from 'zod/v3';
import { entryOf, firstOf } from '../../domain/items.ts';
import { truncatedJson } from '../../domain/strings.ts';
import { argument, code, description } from '../../domain/text/program-names.ts';
import { programText, uniqueTexts } from '../../domain/text/program-text.ts';
import { commaSeparated, join, quotedName, say, verbatim, word } from '../../domain/text/say.ts';
import type { Name, Text } from '../../domain/text/text.ts';
import { type AcequiaError, invalidInputError } from '../../schema/error.ts';
import { expectedText, type LimitUnit, limitText } from '../../schema/expected.ts';
import {
  fieldMetadata,
  innerSchema,
  isReferenceKind,
  withoutIgnoredFields,
} from '../../schema/field.ts';
import { findExcessLength } from '../../schema/length-limits.ts';
import type { FieldsByName, OperationField } from '../operation-fields.ts';

/** Deeper nesting would overflow the stack of recursive functions. */
const MAX_JSON_DEPTH = 32;

/** Throws invalid_body. */
export function assertNestingDepth(value: unknown): void {
  if (nestsDeeperThan(value, MAX_JSON_DEPTH)) throw nestedTooDeeply();
}

const nestedTooDeeply = () =>
  invalidInputError('invalid_body', say`The arguments nest deeper than ${MAX_JSON_DEPTH} levels.`, {
    hint: say`Send the arguments as the schema describes them.`,
  });

/** Before it is parsed, which takes long for a text of nothing but brackets. */
export function assertNestingDepthOfJson(text: string): void {
  let depth = 0;
  let isInText = false;
  for (const [token] of text.matchAll(/\\.|["[{\]}]/gs)) {
    if (token === '"') isInText = !isInText;
    else if (isInText) continue;
    else if (token === '[' || token === '{') depth++;
    else if (token === ']' || token === '}') depth--;
    if (depth > MAX_JSON_DEPTH) throw nestedTooDeeply();
  }
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

/** SQLite truncates a text at U+0000, PostgreSQL refuses it. */
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

/** In characters; longer than the name of any field. */
const MAX_FIELD_LENGTH = 60;

/** The name of a field that does not exist, as an error has it. */
export const shortFieldName = (name: string): string => name.slice(0, MAX_FIELD_LENGTH);

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

/**
 * To be called before anything reads the values, which are by the names of their fields: readers and
 * zod walk a text or a list of any length.
 */
export function assertLengths(
  fields: FieldsByName,
  values: Readonly<Record<string, unknown>>,
): void {
  for (const [name, value] of Object.entries(values)) {
    const field = fields.get(name);
    if (field === undefined) continue;
    const excess = findExcessLength(value, field.schema);
    if (excess === null) continue;

    const label = [field.argument, ...excess.path].join('.');
    throw invalidInputError(
      field.errorCode,
      say`${argument(label)} is not valid: its length is ${excess.length}, and must be at most ${excess.max}.`,
      {
        hint: field.metadata.hint ?? say`Shorten ${argument(field.argument)}.`,
        field: field.argument,
      },
    );
  }
}

export function unreadableArgument(
  text: string,
  reason: Text,
  { field, path }: { readonly field: OperationField; readonly path: readonly (string | number)[] },
  hint: Text | null = field.metadata.hint,
): AcequiaError {
  return invalidInputError(
    field.errorCode,
    say`${argument([field.argument, ...path].join('.'))} ${quotedName(text)} cannot be read: ${reason}.`,
    { hint: hint ?? undefined, field: field.argument },
  );
}

interface FieldsAsSent {
  /** The values as errors quote them: before words and units in them were read. */
  readonly sent?: Readonly<Record<string, unknown>>;
  /** Fields that hold a name, which is looked up later, in place of an id. */
  readonly named?: ReadonlySet<OperationField>;
}

export function validateArguments(
  fields: FieldsByName,
  values: Readonly<Record<string, unknown>>,
  { sent = values, named = new Set() }: FieldsAsSent = {},
): Record<string, unknown> {
  assertNoNul(fields, values);
  const judged = withoutIgnoredFields(values, (name) => fields.get(name)?.metadata);

  const input: Record<string, unknown> = {};
  const issues: z.ZodIssue[] = [];
  for (const field of fields.values()) {
    const { name, schema } = field;
    const value = withWellFormedTexts(judged[name]);
    const parsed = named.has(field)
      ? ({ success: true, data: value } as const)
      : schema.safeParse(value, { path: [name] });
    if (!parsed.success) issues.push(...parsed.error.issues);
    else if (parsed.data !== undefined || name in judged) input[name] = parsed.data;
  }

  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  if (issue === undefined) return input;
  throw invalidArgumentError(entryOf(fields, String(issue.path[0])), issue, { values, sent });
}

function assertNoNul(fields: FieldsByName, values: Readonly<Record<string, unknown>>): void {
  const path = findNulPath(values);
  if (path === null) return;

  const field = entryOf(fields, String(path[0]));
  throw invalidInputError(
    field.errorCode,
    say`${argument(field.argument)} contains the character U+0000, which cannot be stored.`,
    { hint: say`Send ${argument(field.argument)} without it.`, field: field.argument },
  );
}

interface ReadValues {
  readonly values: Readonly<Record<string, unknown>>;
  readonly sent: Readonly<Record<string, unknown>>;
}

function invalidArgumentError(
  { argument: name, schema, metadata: { kind, hint }, errorCode }: OperationField,
  issue: z.ZodIssue,
  { values, sent }: ReadValues,
): AcequiaError {
  const label = [name, ...issue.path.slice(1)].join('.');
  const value = valueAt(values, issue.path);
  if (value === undefined)
    return invalidInputError(errorCode, say`${argument(label)} is missing.`, {
      hint: hint ?? say`Send the call again with ${argument(name)}.`,
      field: name,
    });

  const expected = isReferenceKind(kind)
    ? referenceText(issue, value)
    : describeIssue(issue, unitAt(schema, issue.path.slice(1)));
  return invalidInputError(
    errorCode,
    say`${argument(label)}${valueText(issue.path, valueAt(sent, issue.path) ?? value)} is not valid: ${expected}.`,
    {
      hint: hint ?? say`Correct ${argument(name)} and send the call again.`,
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

/** The schema of an item of a list, or of a field of an object; undefined if it has none. */
export function schemaAt(
  schema: z.ZodTypeAny,
  [step, ...path]: readonly string[],
): z.ZodTypeAny | undefined {
  if (step === undefined) return schema;
  const inner = innerSchema(schema);
  if (inner instanceof z.ZodArray) return schemaAt(inner.element, path);
  if (!(inner instanceof z.ZodObject) || !Object.hasOwn(inner.shape, step)) return undefined;
  return schemaAt(inner.shape[step], path);
}

function unitAt(schema: z.ZodTypeAny, path: readonly (string | number)[]): LimitUnit | null {
  const member = schemaAt(schema, path.map(String));
  if (member === undefined) return null;
  const { unit, plainUnit } = fieldMetadata(member);
  return unit ?? (plainUnit && { plain: plainUnit });
}

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

/** Says what each kind of a union takes, since all of them refuse the value. */
function describeUnion({ unionErrors }: z.ZodInvalidUnionIssue, unit: LimitUnit | null): Text {
  const alternatives = unionErrors.map(({ issues }) => requirement(firstOf(issues), unit));
  return join(uniqueTexts(alternatives), say` or `);
}

function describeIssue(issue: z.ZodIssue, unit: LimitUnit | null): Text {
  const required = requirement(issue, unit);
  return saysItAll(issue) ? required : say`it must be ${required}`;
}

/** True if its text is a sentence of its own, and not the end of "it must be". */
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
