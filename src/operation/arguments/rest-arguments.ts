import { z } from 'zod/v3';
import { parseIsoInstant, parseIsoStart } from '../../domain/iso-date-time.ts';
import { entryOf } from '../../domain/items.ts';
import { argument, argumentNames } from '../../domain/text/program-names.ts';
import { quotedName, say, verbatim } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { parseIsoPeriod } from '../../language/words/past-period.ts';
import { type AcequiaError, invalidInputError } from '../../schema/error.ts';
import { DATE_ALONE, type FieldKind, innerSchema, unwrapModifiers } from '../../schema/field.ts';
import { maxListLength } from '../../schema/length-limits.ts';
import type { AnyOperation, ArgumentContext } from '../operation.ts';
import {
  type FieldsByName,
  inputFields,
  type OperationField,
  oncePerOperation,
  pathParameters,
} from '../operation-fields.ts';
import { isWrite } from '../operation-kind.ts';
import { endpointName } from '../rest-conventions.ts';
import { assertLengths, shortFieldName, validateArguments } from './argument-validation.ts';
import type { OperationArguments } from './operation-arguments.ts';

export const maxListLengths = (operation: AnyOperation): Map<string, number> =>
  new Map(
    [...inputFields(operation).values()].flatMap(({ name, schema }) =>
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
  const fields = inputFields(operation);
  const collected: Record<string, unknown> = {};
  for (const name of pathParameters(operation.endpoint)) collected[name] = path[name];

  for (const [name, value] of query) {
    if (fields.get(name)?.location !== 'query') throw unknownField(operation, name, 'query');
    if (Object.hasOwn(collected, name)) throw duplicateParameter(name);
    collected[name] = value;
  }

  for (const [name, value] of Object.entries(bodyObject(body))) {
    if (fields.get(name)?.location !== 'body') throw unknownField(operation, name, 'body');
    collected[name] = value;
  }

  assertLengths(fields, collected);
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
    field: shortFieldName(name),
  });

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
  location: 'query' | 'body',
): AcequiaError {
  const accepted = [...inputFields(operation).values()].filter(
    (field) => field.location === location,
  );
  const isKey = isWrite(operation) && /^idempotency[-_]?key$/i.test(name);
  const acceptedHint =
    accepted.length > 0
      ? say`It takes ${argumentNames(accepted.map((field) => field.name))}.`
      : say`It takes none.`;

  const kind = location === 'query' ? say`query parameter` : say`field of the body`;
  return invalidInputError(
    location === 'query' ? 'invalid_parameter' : 'invalid_body',
    say`${quotedName(name)} is not a ${kind} of ${verbatim(endpointName(operation.endpoint))}.`,
    {
      hint: isKey ? say`Send it in the header Idempotency-Key.` : acceptedHint,
      field: shortFieldName(name),
    },
  );
}

/** Accepts only ids and ISO 8601. A time without an offset is local to the company. */
export async function readRestArguments(
  operation: AnyOperation,
  rawArguments: Record<string, unknown>,
  context: ArgumentContext,
): Promise<OperationArguments> {
  const fields = restFields(operation);
  const restArguments = Object.fromEntries(
    Object.entries(rawArguments).map(([name, value]) => [
      name,
      entryOf(fields, name).read(value, context.zone),
    ]),
  );

  const input = validateArguments(fields, restArguments);
  const checked = operation.check?.(input, context);
  return { restArguments, input, checked, advisories: [] };
}

interface RestField extends OperationField {
  /** Throws if the value cannot be read. */
  read(value: unknown, zone: string): unknown;
}

const restFields = oncePerOperation((operation: AnyOperation): FieldsByName<RestField> => {
  const fields = [...inputFields(operation).values()].map((field): RestField => {
    const { isRequiredInRest, kind } = field.metadata;
    const schema = isRequiredInRest ? unwrapModifiers(field.schema) : field.schema;
    return { ...field, schema, read: (value, zone) => REST_READERS[kind](value, field, zone) };
  });
  return new Map(fields.map((field) => [field.name, field]));
});

type ReadRestValue = (value: unknown, field: OperationField, zone: string) => unknown;

export const REST_READERS: Readonly<Record<FieldKind, ReadRestValue>> = {
  plain: convertedValue,
  module: readId,
  parcel: readId,
  texture: convertedValue,
  instant: readInstant,
  periodBound: readInstant,
  periodEnd: readInstant,
  effectiveStart: readInstant,
  period: readPeriod,
  date: convertedValue,
  dayOfYear: convertedValue,
  point: convertedValue,
};

/** Values of the path and the query are texts. */
function convertedValue(value: unknown, { location, schema }: OperationField): unknown {
  return location === 'body' ? value : convertText(String(value), schema);
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

function readId(value: unknown, field: OperationField): unknown {
  const id = convertedValue(value, field);
  if (typeof id === 'string') throw malformedArgument(id, say`it must be an id`, field);
  return id;
}

function readInstant(value: unknown, field: OperationField, zone: string): unknown {
  if (typeof value !== 'string') return convertedValue(value, field);

  const { kind } = field.metadata;
  const parsed =
    kind === 'effectiveStart'
      ? parseIsoStart(value, zone)
      : parseIsoInstant(value, zone, { dateAlone: DATE_ALONE[kind] });
  if (!parsed.ok) throw malformedArgument(value, parsed.failure, field);
  return new Date(parsed.value.at).toISOString();
}

function readPeriod(value: unknown, field: OperationField, zone: string): unknown {
  if (typeof value !== 'string') return convertedValue(value, field);
  const parsed = parseIsoPeriod(value, zone);
  if (!parsed.ok) throw malformedArgument(value, parsed.failure, field);
  return parsed.value;
}

/** A time, then a space in place of the plus sign of its offset. */
const LOST_PLUS = / (?<=:\d{2}\S* )\d{2}(?::?\d{2})?$/;

function malformedArgument(
  text: string,
  reason: Text,
  { name, location, errorCode, metadata: { hint } }: OperationField,
): AcequiaError {
  const isPlusLost = location === 'query' && LOST_PLUS.test(text);
  return invalidInputError(
    errorCode,
    say`${argument(name)} ${quotedName(text)} is not valid: ${reason}.`,
    {
      hint: isPlusLost ? say`In a URL, a plus sign is written %2B.` : (hint ?? undefined),
      field: name,
    },
  );
}
