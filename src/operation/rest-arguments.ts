import { z } from 'zod';
import { type AcequiaError, refuse } from '../schema/error.ts';
import { bare, factsOf } from '../schema/field.ts';
import { readIso } from './iso-instant.ts';
import { refuseLongLists } from './list-lengths.ts';
import { quoted } from './names.ts';
import { type AnyOperation, codeOfPlace, pathParameters, placeOf } from './operation.ts';
import { readArguments } from './read-arguments.ts';
import type { UnderstandingContext, Understood } from './tool-arguments.ts';

/** What a request carries beside its headers. */
export interface RestSent {
  /** Path parameters by name, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The body's JSON; undefined where none was sent. */
  readonly body: unknown;
}

/** The arguments of a request side by side, as they were given. What the operation does not take there is refused. */
export function restArguments(described: AnyOperation, { path, query, body }: RestSent): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const name of pathParameters(described.endpoint)) given[name] = path[name];
  for (const [name, value] of query) {
    if (!isTaken(described, name, 'query')) throw unknownField(described, name, 'query');
    if (Object.hasOwn(given, name)) throw givenTwice(name);
    given[name] = value;
  }
  for (const [name, value] of Object.entries(bodyObject(body))) {
    if (!isTaken(described, name, 'body')) throw unknownField(described, name, 'body');
    given[name] = value;
  }
  refuseLongLists(described, given);
  return given;
}

/** The parameters of a query that stands in for the fields of a body. */
export function onceEach(query: URLSearchParams): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of query) {
    if (Object.hasOwn(given, name)) throw givenTwice(name);
    given[name] = value;
  }
  return given;
}

const givenTwice = (name: string): AcequiaError =>
  refuse('invalid_parameter', `${quoted(name)} is given twice.`, { hint: 'Give it once.', field: name.slice(0, 60) });

type Place = 'query' | 'body';

const isTaken = (described: AnyOperation, name: string, place: Place): boolean =>
  Object.hasOwn(described.input.shape, name) && placeOf(described.endpoint, name) === place;

function bodyObject(body: unknown): object {
  if (body === undefined) return {};
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw refuse('invalid_body', 'The body is not a JSON object.', {
    hint: 'Send one JSON object of field names and values.',
  });
}

function unknownField(described: AnyOperation, name: string, place: Place): AcequiaError {
  const taken = Object.keys(described.input.shape).filter((each) => isTaken(described, each, place));
  const what = place === 'query' ? 'query parameter' : 'field of the body';
  return refuse(
    place === 'query' ? 'invalid_parameter' : 'invalid_body',
    `${quoted(name)} is not a ${what} of ${described.name}.`,
    { hint: taken.length > 0 ? `It takes ${taken.join(', ')}.` : 'It takes none.', field: name.slice(0, 60) },
  );
}

/** Reads the arguments of a request: ids alone, ISO 8601 alone (local to the company without an offset), null to empty. */
export async function understandRest(
  described: AnyOperation,
  given: Record<string, unknown>,
  context: UnderstandingContext,
): Promise<Understood> {
  const shape = described.input.shape as z.ZodRawShape;
  const wire: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given))
    wire[name] = wireValue(described, name, value, shape[name]!, context);
  const input = readArguments(described, wire);
  described.check?.(input, context);
  return { wire, input, remarks: [] };
}

function wireValue(
  described: AnyOperation,
  name: string,
  value: unknown,
  schema: z.ZodTypeAny,
  { zone }: UnderstandingContext,
): unknown {
  const { kind } = factsOf(schema);
  if ((kind === 'instant' || kind === 'bound') && typeof value === 'string')
    return isoOf(described, name, value, { zone, isBound: kind === 'bound' });
  const read = placeOf(described.endpoint, name) === 'body' ? value : fromText(String(value), schema);
  if ((kind === 'module' || kind === 'parcel') && typeof read === 'string')
    throw malformed(described, name, read, 'an id is needed');
  return read;
}

/** Whether a text is a plain number that loses no digit of its whole part. */
const isExact = (text: string): boolean =>
  /^-?\d+(?:\.\d+)?$/.test(text) && Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER;

/** A value out of an address, in the type that is asked for; what is not of it stays text, and is refused as such. */
function fromText(text: string, schema: z.ZodTypeAny): unknown {
  const inner = bare(schema);
  if (inner instanceof z.ZodNumber) return isExact(text) ? Number(text) : text;
  if (inner instanceof z.ZodBoolean) return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

function isoOf(
  described: AnyOperation,
  name: string,
  text: string,
  { zone, isBound }: { zone: string; isBound: boolean },
): string {
  const read = readIso(text, zone, isBound ? { dateAlone: 'start' } : {});
  if ('refused' in read) throw malformed(described, name, text, read.refused);
  return new Date(read.at).toISOString();
}

function malformed(described: AnyOperation, name: string, text: string, why: string): AcequiaError {
  const { code, hint } = factsOf((described.input.shape as z.ZodRawShape)[name]!);
  const isInAddress = /\d [\d:]+$/.test(text) && placeOf(described.endpoint, name) === 'query';
  return refuse(code ?? codeOfPlace(described, name), `${name} ${quoted(text)} is not right: ${why}.`, {
    hint: isInAddress ? 'In an address, a plus sign is written %2B.' : (hint ?? undefined),
    field: name,
  });
}
