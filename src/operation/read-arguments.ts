import type { z } from 'zod';
import { type AcequiaError, refuse } from '../schema/error.ts';
import { factsOf } from '../schema/field.ts';
import { jsonStart } from './json-start.ts';
import { quoted } from './names.ts';
import { type AnyOperation, codeOfPlace, isWrite } from './operation.ts';
import { nulIn, wellFormed } from './stored-text.ts';

/** Longest JSON of a value in a message, in characters. */
const LONGEST = 60;

/** How a value is shown in a message: short, on one line. */
function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return String(value);
  const text = jsonStart(value, LONGEST + 1);
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 3)}…` : text;
}

function valueAt(fields: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<string | number, unknown> | undefined)?.[key], fields);
}

/**
 * The arguments as the operation runs on them (instants in ms). The first one missing or malformed is refused with its
 * own code, or with invalid_body or invalid_parameter by its place; `named` says what the caller calls a field.
 */
export function readArguments(
  described: AnyOperation,
  fields: Record<string, unknown>,
  named: (field: string) => string = (field) => field,
): Record<string, unknown> {
  refuseNul(described, fields, named);
  const read = described.input.safeParse(wellFormed(fields));
  if (read.success) return read.data;
  throw refusalOf(described, fields, read.error, named);
}

function refuseNul(described: AnyOperation, fields: Record<string, unknown>, named: (field: string) => string): void {
  const path = nulIn(fields);
  if (path === null) return;
  const name = String(path[0]);
  const schema = (described.input.shape as z.ZodRawShape)[name];
  const code = schema && factsOf(schema).code;
  throw refuse(
    code ?? codeOfPlace(described, name),
    `${named(name)} holds the character U+0000, which no store keeps.`,
    {
      hint: `Send ${named(name)} without it.`,
      field: named(name),
    },
  );
}

function refusalOf(
  described: AnyOperation,
  fields: Record<string, unknown>,
  error: z.ZodError,
  named: (field: string) => string,
): AcequiaError {
  const issue = error.issues.find((each) => each.code === 'unrecognized_keys') ?? error.issues[0]!;
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0)
    return refuse(
      isWrite(described) ? 'invalid_body' : 'invalid_parameter',
      `${quoted(issue.keys[0]!)} is not a field of ${described.name}.`,
      {
        hint: `It takes ${Object.keys(described.input.shape).map(named).join(', ')}.`,
        field: issue.keys[0],
      },
    );
  const name = String(issue.path[0]);
  const schema = (described.input.shape as z.ZodRawShape)[name];
  const facts = schema === undefined ? null : factsOf(schema);
  const code = facts?.code ?? codeOfPlace(described, name);
  const value = valueAt(fields, issue.path);
  const isReference = (facts?.kind === 'module' || facts?.kind === 'parcel') && typeof value === 'string';
  const label = [named(name), ...issue.path.slice(1)].join('.');
  return refuse(
    code,
    value === undefined
      ? `${label} is missing.`
      : `${label} ${shown(value)} is not right: ${isReference ? 'a name or an id is needed' : sayIssue(issue)}.`,
    {
      hint: facts?.hint ?? `Correct ${named(name)}: ${schema?.description ?? innerDescription(schema)}`,
      field: named(name),
    },
  );
}

const innerDescription = (schema: z.ZodTypeAny | undefined): string =>
  (schema as { unwrap?: () => z.ZodTypeAny } | undefined)?.unwrap?.().description ?? 'see its description.';

/** A type that zod names; of an enum it quotes the members: 'planned' | 'done'. */
function sayExpected(expected: string): string {
  if (expected === 'integer') return 'a whole number';
  const members = [...expected.matchAll(/'([^']*)'/g)].map(([, member]) => member);
  return members.length === 0 ? expected : `one of ${members.join(', ')}`;
}

function sayIssue(issue: z.ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `${sayExpected(issue.expected)} is needed`;
    case 'invalid_enum_value':
      return `one of ${issue.options.join(', ')} is needed`;
    case 'too_small':
      return `${issue.type === 'number' ? `${issue.inclusive ? 'at least' : 'above'} ${issue.minimum}` : `at least ${issue.minimum} long`} is needed`;
    case 'too_big':
      return `${issue.type === 'number' ? `at most ${issue.maximum}` : `at most ${issue.maximum} long`} is needed`;
    case 'invalid_string':
      return issue.validation === 'uuid' ? 'a UUID is needed' : `${issue.message} is needed`;
    case 'unrecognized_keys':
      return `${quoted(issue.keys[0]!)} is not a field of it`;
    default:
      return `${issue.message} is needed`;
  }
}
