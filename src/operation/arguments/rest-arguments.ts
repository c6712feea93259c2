import { z } from 'zod/v3';
import { parseIsoInstant, parseIsoStart } from '../../domain/iso-date-time.ts';
import { argument, argumentNames } from '../../domain/text/program-names.ts';
import { quotedName, say, verbatim } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { parseIsoPeriod } from '../../language/words/past-period.ts';
import { type AcequiaError, invalidInputError } from '../../schema/error.ts';
import {
  DATE_ALONE,
  type FieldMetadata,
  fieldMetadata,
  innerSchema,
  isInstantKind,
} from '../../schema/field.ts';
import { maxListLength } from '../../schema/length-limits.ts';
import type { AnyOperation, ArgumentContext } from '../operation.ts';
import {
  argumentLocation,
  defaultErrorCode,
  inputFields,
  knownInputField,
  pathParameters,
  restInput,
} from '../operation-fields.ts';
import { isWrite } from '../operation-kind.ts';
import { endpointName } from '../rest-conventions.ts';
import { assertLengths } from './argument-lengths.ts';
import { validateArguments } from './argument-validation.ts';
import type { OperationArguments } from './operation-arguments.ts';

/** In characters; longer than the name of any field. */
const MAX_NAME_LENGTH = 60;

export const maxListLengths = (operation: AnyOperation): Map<string, number> =>
  new Map(
    inputFields(operation).flatMap(([name, schema]) =>
      innerSchema(schema) instanceof z.ZodArray ? [[name, maxListLength(schema)]] : [],
    ),
  );

export interface RestParameters {
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export function collectRestArguments(
  operation: AnyOperation,
  { path, query, body }: RestParameters,
): Record<string, unknown> {
  const collected: Record<string, unknown> = {};
  for (const name of pathParameters(operation.endpoint)) collected[name] = path[name];

  for (const [name, value] of query) {
    if (!acceptsField(operation, name, 'query')) throw unknownField(operation, name, 'query');
    if (Object.hasOwn(collected, name)) throw duplicateParameter(name);
    collected[name] = value;
  }

  for (const [name, value] of Object.entries(bodyObject(body))) {
    if (!acceptsField(operation, name, 'body')) throw unknownField(operation, name, 'body');
    collected[name] = value;
  }

  assertLengths(operation, collected);
  return collected;
}

/** Merges the body with the query, where a request with a CSV body sends its other fields. */
export function withQueryFields(body: unknown, query: URLSearchParams): object {
  const collected: Record<string, unknown> = { ...bodyObject(body) };
  for (const [name, value] of query) {
    if (Object.hasOwn(collected, name)) throw duplicateParameter(name);
    collected[name] = value;
  }
  return collected;
}

const duplicateParameter = (name: string): AcequiaError =>
  invalidInputError('invalid_parameter', say`${quotedName(name)} is repeated.`, {
    hint: say`Send it once.`,
    field: name.slice(0, MAX_NAME_LENGTH),
  });

type FieldLocation = 'query' | 'body';

const acceptsField = (operation: AnyOperation, name: string, location: FieldLocation): boolean =>
  Object.hasOwn(operation.input.shape, name) &&
  argumentLocation(operation.endpoint, name) === location;

function bodyObject(body: unknown): object {
  if (body === undefined) return {};
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw invalidInputError('invalid_body', say`The body is not a JSON object.`, {
    hint: say`Send one JSON object of field names and values.`,
  });
}

function unknownField(
  operation: AnyOperation,
  name: string,
  location: FieldLocation,
): AcequiaError {
  const accepted = Object.keys(operation.input.shape).filter((each) =>
    acceptsField(operation, each, location),
  );
  const kind = location === 'query' ? say`query parameter` : say`field of the body`;
  return invalidInputError(
    location === 'query' ? 'invalid_parameter' : 'invalid_body',
    say`${quotedName(name)} is not a ${kind} of ${verbatim(endpointName(operation.endpoint))}.`,
    { hint: unknownFieldHint(operation, name, accepted), field: name.slice(0, MAX_NAME_LENGTH) },
  );
}

function unknownFieldHint(
  operation: AnyOperation,
  name: string,
  accepted: readonly string[],
): Text {
  if (isWrite(operation) && /^idempotency[-_]?key$/i.test(name))
    return say`Send it in the header Idempotency-Key.`;
  return accepted.length > 0 ? say`It takes ${argumentNames(accepted)}.` : say`It takes none.`;
}

/** Accepts only ids and ISO 8601. A time without an offset is local to the company. */
export async function readRestArguments(
  operation: AnyOperation,
  rawArguments: Record<string, unknown>,
  context: ArgumentContext,
): Promise<OperationArguments> {
  const restArguments: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rawArguments))
    restArguments[name] = readRestValue(
      operation,
      name,
      value,
      knownInputField(operation, name),
      context,
    );
  const input = validateArguments({ ...operation, input: restInput(operation) }, restArguments);
  const checked = operation.check?.(input, context);
  return { restArguments, input, checked, advisories: [] };
}

function readRestValue(
  operation: AnyOperation,
  name: string,
  value: unknown,
  schema: z.ZodTypeAny,
  { zone }: ArgumentContext,
): unknown {
  const { kind } = fieldMetadata(schema);
  const malformed = (text: string, reason: Text): AcequiaError =>
    malformedArgument(operation, name, schema, { text, reason });

  if (isInstantKind(kind) && typeof value === 'string') {
    const parsed = parseIsoTime(value, kind, zone);
    if (!parsed.ok) throw malformed(value, parsed.failure);
    return new Date(parsed.value.at).toISOString();
  }

  if (kind === 'period' && typeof value === 'string') {
    const parsed = parseIsoPeriod(value, zone);
    if (!parsed.ok) throw malformed(value, parsed.failure);
    return parsed.value;
  }

  const isInBody = argumentLocation(operation.endpoint, name) === 'body';
  const converted = isInBody ? value : convertText(String(value), schema);
  if ((kind === 'module' || kind === 'parcel') && typeof converted === 'string')
    throw malformed(converted, say`it must be an id`);

  return converted;
}

function parseIsoTime(text: string, kind: FieldMetadata['kind'], zone: string) {
  if (kind === 'effectiveStart') return parseIsoStart(text, zone);
  return parseIsoInstant(text, zone, { dateAlone: DATE_ALONE[kind] });
}

/** Digits beyond the precision of a number would be lost. */
const isSafeNumber = (text: string): boolean =>
  /^-?\d+(?:\.\d+)?$/.test(text) && Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER;

/** Text that cannot be converted stays text, which validation then refuses. */
function convertText(text: string, schema: z.ZodTypeAny): unknown {
  const inner = innerSchema(schema);
  if (inner instanceof z.ZodNumber) return isSafeNumber(text) ? Number(text) : text;
  if (inner instanceof z.ZodBoolean && (text === 'true' || text === 'false'))
    return text === 'true';
  return text;
}

/** A time, then a space in place of the plus sign of its offset. */
const LOST_PLUS = / (?<=:\d{2}\S* )\d{2}(?::?\d{2})?$/;

function malformedArgument(
  operation: AnyOperation,
  name: string,
  schema: z.ZodTypeAny,
  { text, reason }: { readonly text: string; readonly reason: Text },
): AcequiaError {
  const { code, hint } = fieldMetadata(schema);
  const isPlusLost = LOST_PLUS.test(text) && argumentLocation(operation.endpoint, name) === 'query';
  return invalidInputError(
    code ?? defaultErrorCode(operation, name),
    say`${argument(name)} ${quotedName(text)} is not valid: ${reason}.`,
    {
      hint: isPlusLost ? say`In a URL, a plus sign is written %2B.` : (hint ?? undefined),
      field: name,
    },
  );
}
