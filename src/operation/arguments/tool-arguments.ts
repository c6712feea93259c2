import { distance } from 'fastest-levenshtein';
import { z } from 'zod/v3';
import { entryOf, firstOf } from '../../domain/items.ts';
import { quote } from '../../domain/text.ts';
import { isHourAlone } from '../../language/words/instant.ts';
import type { Advisory } from '../../schema/advisory.ts';
import { type AcequiaError, invalidInputError } from '../../schema/error.ts';
import { fieldMetadata, innerSchema, isInstantKind, isTextInTools } from '../../schema/field.ts';
import type { AnyOperation, ArgumentContext, RunRead } from '../operation.ts';
import {
  clearableFields,
  defaultErrorCode,
  isLookupField,
  knownToolField,
  pathParameters,
  toolArgumentName,
  toolFields,
  toolNameOf,
  withLang,
} from '../operation-fields.ts';
import { isWrite } from '../operation-kind.ts';
import { assertNestingDepth, validateArguments } from './argument-validation.ts';
import { missingIdError, withFoundId } from './id-lookup.ts';
import { resolveModule, resolveParcel } from './name-resolution.ts';
import {
  readPastPeriod,
  readToolAmount,
  readToolClock,
  readToolDate,
  readToolInstant,
  readToolPoint,
  readToolTexture,
} from './tool-values.ts';

const fieldsByArgument = (operation: AnyOperation): Map<string, string> =>
  new Map(toolFields(operation).map(([name]) => [toolArgumentName(operation, name), name]));

type JsonKind = 'string' | 'number' | 'boolean' | 'array' | 'object';

function jsonKindOf(schema: z.ZodTypeAny): JsonKind {
  if (isTextInTools(fieldMetadata(schema).kind)) return 'string';
  const inner = innerSchema(schema);
  if (inner instanceof z.ZodNumber) return 'number';
  if (inner instanceof z.ZodBoolean) return 'boolean';
  if (inner instanceof z.ZodArray) return 'array';
  return inner instanceof z.ZodObject ? 'object' : 'string';
}

function parseJsonOrKeep(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  assertNestingDepth(value);
  return value;
}

/** Some clients send arguments as JSON text. */
function repairJsonText(value: unknown, kind: JsonKind): unknown {
  if (kind === 'string')
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof value === 'string' && value.trim() !== '') {
    const parsed = parseJsonOrKeep(value.trim());
    if (kind === 'array') return Array.isArray(parsed) ? parsed : [parsed];
    return typeof parsed === kind || (kind === 'object' && typeof parsed === 'object')
      ? parsed
      : value;
  }

  return kind === 'array' && value !== undefined && value !== null && !Array.isArray(value)
    ? [value]
    : value;
}

function repairNestedJsonText(rawValue: unknown, schema: z.ZodTypeAny): unknown {
  const value = repairJsonText(rawValue, jsonKindOf(schema));
  const { kind } = fieldMetadata(schema);
  if (kind === 'texture') return readToolTexture(value);
  // A lone value is no point, and an error quotes it as it was sent.
  if (kind === 'point' && Array.isArray(value) && value.length === 1 && !Array.isArray(rawValue))
    return rawValue;

  const inner = innerSchema(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.map((each) => repairNestedJsonText(each, inner.element));
  if (
    !(inner instanceof z.ZodObject) ||
    typeof value !== 'object' ||
    value === null ||
    Array.isArray(value)
  )
    return value;

  const shape = new Map(Object.entries(inner.shape as z.ZodRawShape));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      shape.has(name) ? repairNestedJsonText(each, entryOf(shape, name)) : each,
    ]),
  );
}

/** In characters; longer than the name of any argument. */
const MAX_NAME_LENGTH = 60;

function unknownArgument(
  operation: AnyOperation,
  name: string,
  argumentNames: readonly string[],
): AcequiaError {
  const short = name.slice(0, MAX_NAME_LENGTH);
  const distanceTo = (each: string): number => distance(short.toLowerCase(), each.toLowerCase());

  const nearest = [...argumentNames].sort((a, b) => distanceTo(a) - distanceTo(b))[0];
  return invalidInputError(
    isWrite(operation) ? 'invalid_body' : 'invalid_parameter',
    `${toolNameOf(operation)} has no argument ${quote(name)}.`,
    {
      hint: nearest
        ? `Nearest: ${nearest}. It takes ${argumentNames.join(', ')}.`
        : 'It takes no argument.',
      field: short,
    },
  );
}

export function argumentsObject(rawArguments: unknown): Record<string, unknown> {
  const value =
    typeof rawArguments === 'string' ? parseJsonOrKeep(rawArguments) : (rawArguments ?? {});
  assertNestingDepth(value);
  if (value === null || value === '') return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw invalidInputError('invalid_body', 'The arguments are not an object.', {
      hint: 'Send the arguments as one JSON object of names and values.',
    });
  return Object.fromEntries(Object.entries(value));
}

function readToolFields(
  operation: AnyOperation,
  rawArguments: Record<string, unknown>,
): Record<string, unknown> {
  const names = fieldsByArgument(operation);
  const clearableNames = clearableFields(operation);
  const argumentNames = [
    ...names.keys(),
    ...(clearableNames.length > 0 ? ['clear'] : []),
    ...(isWrite(operation) ? ['idempotencyKey'] : []),
  ];

  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rawArguments)) {
    if (!argumentNames.includes(name)) throw unknownArgument(operation, name, argumentNames);

    const target = names.get(name);
    if (target === undefined || value === undefined) continue;
    if (value === null) {
      if (!clearableNames.includes(name)) continue;
      throw invalidInputError(defaultErrorCode(operation, target), `${name} is null.`, {
        hint: `Leave ${name} out to keep it, or name it in clear to empty it.`,
        field: name,
      });
    }

    fields[target] = repairNestedJsonText(value, knownToolField(operation, target));
  }

  for (const argument of readClearedFields(operation, rawArguments.clear, clearableNames)) {
    const name = entryOf(names, argument);
    if (fields[name] !== undefined)
      throw invalidInputError(
        defaultErrorCode(operation, name),
        `${argument} is both set and in clear.`,
        {
          hint: 'Either set it or clear it.',
          field: argument,
        },
      );

    fields[name] = null;
  }

  for (const [name, value] of Object.entries(operation.tool?.defaults ?? {}))
    fields[name] ??= value;
  return fields;
}

function readClearedFields(
  operation: AnyOperation,
  clear: unknown,
  allowed: readonly string[],
): string[] {
  if (clear === undefined || clear === null || allowed.length === 0) return [];

  const names = repairJsonText(clear, 'array');
  if (
    !Array.isArray(names) ||
    names.some((name) => typeof name !== 'string' || !allowed.includes(name))
  )
    throw invalidInputError(
      'invalid_body',
      `clear names a field that ${operation.name} cannot empty.`,
      {
        hint: `It takes an array of: ${allowed.join(', ')}.`,
        field: 'clear',
      },
    );

  return [...new Set(names as string[])];
}

/**
 * Stored values of fields that a tool may leave out of an update. Null if there is no stored
 * resource or the id is malformed.
 */
export async function unchangedFields(
  { tool, endpoint, input }: AnyOperation,
  fields: Record<string, unknown>,
  run: RunRead,
): Promise<Record<string, unknown> | null> {
  const names = pathParameters(endpoint);
  const ids = input
    .pick(Object.fromEntries(names.map((name) => [name, true])))
    .safeParse(Object.fromEntries(names.map((name) => [name, fields[name]])));
  const stored = tool?.storedResource;
  if (stored === undefined || !ids.success) return null;
  return stored.unchanged(await run(stored.read, ids.data), fields);
}

export interface OperationArguments {
  readonly restArguments: Record<string, unknown>;
  readonly input: Record<string, unknown>;
  readonly advisories: readonly Advisory[];
}

/**
 * `parcel` in place of `module` may select another operation. Throws INVALID_TARGET if both are
 * given.
 */
export function operationForArguments(
  operation: AnyOperation,
  { module, parcel }: Readonly<Record<string, unknown>>,
): AnyOperation {
  if (operation.tool?.parcelVariant === undefined || parcel == null || parcel === '')
    return operation;
  if (module == null || module === '') return operation.tool?.parcelVariant;
  throw invalidInputError('INVALID_TARGET', 'Both module and parcel are given.', {
    hint: 'Give module for one probe, or parcel for all probes of the parcel.',
    field: 'parcel',
  });
}

/** Names are looked up last, so that a malformed entry is reported first. */
export async function readToolArguments(
  operation: AnyOperation,
  rawArguments: unknown,
  context: ArgumentContext,
): Promise<OperationArguments> {
  const fields = withLang(
    operation,
    readToolFields(operation, argumentsObject(rawArguments)),
    context.lang,
  );

  const advisories: Advisory[] = [];
  const restArguments: Record<string, unknown> = {};
  const references: [string, string, 'module' | 'parcel'][] = [];

  for (const [name, value] of Object.entries(startsBeforeEnds(operation, fields))) {
    const schema = knownToolField(operation, name);
    const { kind, endOf } = fieldMetadata(schema);
    if (
      (kind === 'module' || kind === 'parcel') &&
      typeof value === 'string' &&
      value.trim() !== ''
    ) {
      references.push([name, value, kind]);
      restArguments[name] = 1;
    } else if (isInstantKind(kind) && typeof value === 'string') {
      const start = endOf === null ? undefined : restArguments[endOf];
      const stored =
        start === undefined && isHourAlone(value)
          ? await unchangedFields(operation, fields, context.runRead)
          : null;
      const startedAt = endOf === null ? Number.NaN : Date.parse(String(start ?? stored?.[endOf]));
      const dayOf = stored === null ? undefined : Date.parse(String(stored[name]));
      restArguments[name] = readToolInstant(
        operation,
        name,
        value,
        { ...context, startedAt, dayOf },
        advisories,
      );
    } else {
      restArguments[name] = readToolValue(operation, name, value, context);
    }
  }

  for (const [name, compute] of Object.entries(operation.tool?.computedDefaults ?? {}))
    restArguments[name] ??= compute(restArguments, context);
  const nameOf = (name: string): string => toolArgumentName(operation, name);

  const { entry, idToFind } = checkedEntry(operation, restArguments, nameOf);
  operation.check?.(entry, context);
  if (references.length === 0) return { restArguments, input: entry, advisories };

  const variant = operation.tool?.parcelVariant ?? operation;
  const takesParcel = toolFields(variant).some(
    ([, schema]) => fieldMetadata(schema).replacesModule,
  );
  const takesModule =
    operation.tool?.name !== undefined ||
    toolFields(operation).some(([, schema]) => fieldMetadata(schema).kind === 'module');

  for (const [name, text, kind] of references) {
    const resolve = kind === 'module' ? resolveModule : resolveParcel;
    const found = await resolve(text, context.directory, {
      field: nameOf(name),
      code: fieldMetadata(knownToolField(operation, name)).unknownCode ?? 'not_found',
      takesModule,
      ...(takesParcel && { tool: toolNameOf(operation) }),
    });
    restArguments[name] = found.id;
    if (found.onlyProbe) advisories.push({ kind: 'only_probe_of_parcel', ...found.onlyProbe });
    if (found.matchedName !== undefined)
      advisories.push({ kind: 'name_understood', text: quote(text), name: found.matchedName });
  }

  const fullWire =
    idToFind === null
      ? restArguments
      : await withFoundId(
          operation,
          { ...restArguments, ...(idToFind in entry && { [idToFind]: entry[idToFind] }) },
          context,
        );

  return {
    restArguments: fullWire,
    input: validateArguments(operation, fullWire, nameOf),
    advisories,
  };
}

function readToolValue(
  operation: AnyOperation,
  name: string,
  value: unknown,
  context: ArgumentContext,
): unknown {
  const schema = knownToolField(operation, name);
  const { kind } = fieldMetadata(schema);
  if (kind === 'date' && typeof value === 'string')
    return readToolDate(operation, name, value, context);
  if (kind === 'period' && typeof value === 'string')
    return readPastPeriod(operation, name, value, context);
  if (kind === 'point') return readToolPoint(value, context);
  return readToolClock(schema, readToolAmount(operation, name, value));
}

/**
 * Validates before names are looked up. `idToFind` is the id field that is then found by a probe or
 * parcel, or null.
 */
function checkedEntry(
  operation: AnyOperation,
  wire: Record<string, unknown>,
  nameOf: (name: string) => string,
): { entry: Record<string, unknown>; idToFind: string | null } {
  const withoutLookup = () => ({
    entry: validateArguments(operation, wire, nameOf),
    idToFind: null,
  });
  if (operation.tool?.idLookup === undefined) return withoutLookup();

  const id = firstOf(pathParameters(operation.endpoint));
  const ownFields = Object.entries(wire).filter(([name]) => !isLookupField(operation, name));
  const hasTarget = ownFields.length < Object.keys(wire).length;
  if (!hasTarget) {
    if (wire[id] === undefined) throw missingIdError(operation);
    return withoutLookup();
  }

  const input = wire[id] === undefined ? operation.input.omit({ [id]: true }) : operation.input;
  return {
    entry: validateArguments({ ...operation, input }, Object.fromEntries(ownFields), nameOf),
    idToFind: id,
  };
}

function startsBeforeEnds(
  operation: AnyOperation,
  fields: Record<string, unknown>,
): Record<string, unknown> {
  const isEnd = (name: string): boolean =>
    fieldMetadata(knownToolField(operation, name)).endOf !== null;
  return Object.fromEntries(
    Object.entries(fields).sort(([a], [b]) => Number(isEnd(a)) - Number(isEnd(b))),
  );
}
