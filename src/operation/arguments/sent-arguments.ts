import { z } from 'zod/v3';
import { entryOf } from '../../domain/items.ts';
import { isRecord } from '../../domain/records.ts';
import { argument, argumentNames } from '../../domain/text/program-names.ts';
import { quotedName, say, sentences } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { nearestWord } from '../../language/words/nearest-word.ts';
import { type AcequiaError, invalidInputError } from '../../schema/error.ts';
import { fieldMetadata, innerSchema, withoutIgnoredFields } from '../../schema/field.ts';
import { isWrite } from '../operation-kind.ts';
import {
  assertLengths,
  assertNestingDepth,
  quotedValue,
  shortFieldName,
} from './argument-validation.ts';
import type { ToolFields } from './tool-fields.ts';
import { decodeValue, listFromJsonText, parseJsonOrKeep } from './tool-readers.ts';

/** Some clients send all arguments as one JSON text. */
export function argumentsObject(rawArguments: unknown): Record<string, unknown> {
  const value =
    typeof rawArguments === 'string' ? parseJsonOrKeep(rawArguments) : (rawArguments ?? {});
  assertNestingDepth(value);
  if (value === null || value === '') return {};
  if (!isRecord(value))
    throw invalidInputError('invalid_body', say`The arguments are not an object.`, {
      hint: say`Send the arguments as one JSON object of names and values.`,
    });

  return { ...value };
}

type FieldValues = Record<string, unknown>;

/**
 * The arguments of a tool as they were sent, by the name of the field, before words in them are
 * read.
 */
interface SentFields {
  /** The values that JSON texts stand for, as errors quote them. */
  readonly sent: FieldValues;
  /** With the defaults of the tool; fields in `clear` are null. */
  readonly values: FieldValues;
}

export function readSentFields(
  fields: ToolFields,
  rawArguments: Record<string, unknown>,
): SentFields {
  const { operation, byName, byArgument, clearable } = fields;
  assertKnownArguments(fields, rawArguments);

  const sentTexts: FieldValues = {};
  for (const [argument, value] of Object.entries(rawArguments)) {
    const field = byArgument.get(argument);
    if (field === undefined || value === undefined) continue;
    if (value !== null) sentTexts[field.name] = value;
    // Some clients send null for whatever they leave out.
    else if (clearable.includes(argument)) throw nullError(argument);
  }

  const judged = withoutIgnoredFields(sentTexts, (name) => byName.get(name)?.metadata);
  const sent = decoded(byName, judged);
  const values = { ...operation.tool?.defaults, ...sent };
  for (const argument of readClearedArguments(rawArguments.clear, clearable)) {
    const { name } = entryOf(byArgument, argument);
    if (sent[name] !== undefined) throw setAndClearedError(argument);
    values[name] = null;
  }

  return { sent, values };
}

/** Nothing reads a value that is longer than it may be. */
function decoded(fields: ToolFields['byName'], sent: FieldValues): FieldValues {
  assertLengths(fields, sent);
  const values = Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      decodeValue(value, entryOf(fields, name).schema),
    ]),
  );
  assertLengths(fields, values);
  return values;
}

function assertKnownArguments(
  fields: ToolFields,
  rawArguments: Readonly<Record<string, unknown>>,
): void {
  const known = [...fields.byArgument.keys()];
  if (fields.clearable.length > 0) known.push('clear');
  if (isWrite(fields.operation)) known.push('idempotencyKey');

  for (const argument of Object.keys(rawArguments))
    if (!known.includes(argument)) throw unknownArgumentError(fields, argument, known);
}

function unknownArgumentError(
  fields: ToolFields,
  sent: string,
  known: readonly string[],
): AcequiaError {
  const name = shortFieldName(sent);
  const nearest = nestedArgument(fields, name) ?? argumentOrNull(nearestWord(name, known));

  return invalidInputError(
    isWrite(fields.operation) ? 'invalid_body' : 'invalid_parameter',
    say`There is no argument ${quotedName(sent)}.`,
    {
      hint: sentences([
        nearest && say`Nearest: ${nearest}.`,
        say`It takes ${known.length === 0 ? say`no argument` : argumentNames(known)}.`,
      ]),
      field: name,
    },
  );
}

const argumentOrNull = (path: string | null): Text | null =>
  path === null ? null : say`${argument(path)}`;

/**
 * A field inside a list or an object that is called so, or whose value is: "soilHorizonId of
 * layers".
 */
function nestedArgument({ byName }: ToolFields, name: string): Text | null {
  for (const { argument: outer, schema } of byName.values()) {
    const found = Object.entries(nestedShape(schema)).find(([inner, member]) =>
      [inner, fieldMetadata(member).kind].some((each) => each.toLowerCase() === name.toLowerCase()),
    );
    if (found) return say`${argument(found[0])} of ${argument(outer)}`;
  }
  return null;
}

function nestedShape(schema: z.ZodTypeAny): z.ZodRawShape {
  const inner = innerSchema(schema);
  if (inner instanceof z.ZodArray) return nestedShape(inner.element);
  return inner instanceof z.ZodObject ? inner.shape : {};
}

const nullError = (sent: string): AcequiaError =>
  invalidInputError('invalid_body', say`${argument(sent)} is null.`, {
    hint: say`Leave ${argument(sent)} out to keep it, or name it in ${argument('clear')} to empty it.`,
    field: sent,
  });

const setAndClearedError = (sent: string): AcequiaError =>
  invalidInputError('invalid_body', say`${argument(sent)} is both set and in clear.`, {
    hint: say`Either set it or clear it.`,
    field: sent,
  });

function readClearedArguments(clear: unknown, clearable: readonly string[]): ReadonlySet<string> {
  if (clear === undefined || clear === null || clearable.length === 0) return new Set();

  const items = listFromJsonText(clear);
  const names = Array.isArray(items) ? items : [items];
  const wrong = names.findIndex((name) => !clearable.includes(name));
  if (wrong === -1) return new Set<string>(names);

  throw invalidInputError('invalid_body', say`${quotedValue(names[wrong])} cannot be emptied.`, {
    hint: say`${argument('clear')} takes an array of: ${argumentNames(clearable)}.`,
    field: 'clear',
  });
}
