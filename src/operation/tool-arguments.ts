import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import type { Lang } from '../domain/lang.ts';
import { type AcequiaError, refuse } from '../schema/error.ts';
import { bare, factsOf, isSaidInWords, takesNull } from '../schema/field.ts';
import type { Directory } from './directory.ts';
import { quoted, resolveModule, resolveParcel } from './names.ts';
import type { AnyOperation } from './operation.ts';
import { codeOfPlace, inLang, isWrite } from './operation.ts';
import { readArguments } from './read-arguments.ts';
import { sayingWords } from './say-time.ts';
import { toolAmount } from './tool-amounts.ts';
import { toolClock } from './tool-clocks.ts';
import { refusePointInWords, toolInstant } from './tool-instants.ts';
import { toolName } from './tool-names.ts';

/** The fields of an operation that its tool takes, by their names in the operation. */
export const toolFields = (described: AnyOperation): [name: string, schema: z.ZodTypeAny][] =>
  Object.entries(described.input.shape as z.ZodRawShape).filter(([, schema]) => !factsOf(schema).restOnly);

/** Fields of a write that change what stands and can be emptied: what `clear` may name. */
export const clearable = (described: AnyOperation): string[] =>
  described.effect !== 'update'
    ? []
    : toolFields(described)
        .filter(([, schema]) => takesNull(schema))
        .map(([name]) => name);

/** A tool's arguments, by their names there, with the operation's field behind each. */
const fieldsByArgument = (described: AnyOperation): Map<string, string> =>
  new Map(toolFields(described).map(([name]) => [toolName(name), name]));

type JsonKind = 'string' | 'number' | 'boolean' | 'array' | 'object';

function kindOf(schema: z.ZodTypeAny): JsonKind {
  if (isSaidInWords(factsOf(schema).kind)) return 'string';
  const inner = bare(schema);
  if (inner instanceof z.ZodNumber) return 'number';
  if (inner instanceof z.ZodBoolean) return 'boolean';
  if (inner instanceof z.ZodArray) return 'array';
  return inner instanceof z.ZodObject ? 'object' : 'string';
}

function fromJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Arguments that a client sent as JSON text, in the type that is asked for. What cannot be repaired stays as it is. */
function repaired(value: unknown, kind: JsonKind): unknown {
  if (kind === 'string') return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof value === 'string' && value.trim() !== '') {
    const parsed = fromJsonText(value.trim());
    if (kind === 'array') return Array.isArray(parsed) ? parsed : [parsed];
    return typeof parsed === kind || (kind === 'object' && typeof parsed === 'object') ? parsed : value;
  }
  return kind === 'array' && value !== undefined && value !== null && !Array.isArray(value) ? [value] : value;
}

/** The same for what a schema asks for, down to the elements of a list and the fields of an object. */
function understood(sent: unknown, schema: z.ZodTypeAny): unknown {
  const value = repaired(sent, kindOf(schema));
  const inner = bare(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) return value.map((each) => understood(each, inner.element));
  if (!(inner instanceof z.ZodObject) || typeof value !== 'object' || value === null || Array.isArray(value))
    return value;
  const shape = new Map(Object.entries(inner.shape as z.ZodRawShape));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, shape.has(name) ? understood(each, shape.get(name)!) : each]),
  );
}

function unknownArgument(described: AnyOperation, name: string, known: readonly string[]): AcequiaError {
  const nearest = [...known].sort(
    (a, b) => distance(name.toLowerCase(), a.toLowerCase()) - distance(name.toLowerCase(), b.toLowerCase()),
  )[0];
  return refuse(
    isWrite(described) ? 'invalid_body' : 'invalid_parameter',
    `${described.name} has no argument ${quoted(name)}.`,
    {
      hint: nearest ? `Nearest: ${nearest}. It takes ${known.join(', ')}.` : 'It takes no argument.',
      field: name.slice(0, 60),
    },
  );
}

/** What a client sent, as an object of arguments: JSON text is understood, anything else refused. */
export function argumentsObject(sent: unknown): Record<string, unknown> {
  const given = typeof sent === 'string' ? fromJsonText(sent) : (sent ?? {});
  if (given === null || given === '') return {};
  if (typeof given !== 'object' || Array.isArray(given))
    throw refuse('invalid_body', 'The arguments are not an object.', {
      hint: 'Send the arguments as one JSON object of names and values.',
    });
  return { ...(given as Record<string, unknown>) };
}

/** A tool's arguments with their JSON text repaired, `clear` turned to nulls and unknown names refused; by field names of the operation. */
function fieldsOf(described: AnyOperation, given: Record<string, unknown>): Record<string, unknown> {
  const names = fieldsByArgument(described);
  const shape = described.input.shape as z.ZodRawShape;
  const emptied = clearable(described);
  const known = [
    ...names.keys(),
    ...(emptied.length > 0 ? ['clear'] : []),
    ...(isWrite(described) ? ['idempotencyKey'] : []),
  ];
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!known.includes(name)) throw unknownArgument(described, name, known);
    const target = names.get(name);
    if (target === undefined || value === undefined) continue;
    if (value === null) {
      if (!emptied.includes(target)) continue;
      throw refuse(codeOfPlace(described, target), `${name} is null.`, {
        hint: `Leave ${name} out to keep it, or name it in clear to empty it.`,
        field: name,
      });
    }
    fields[target] = understood(value, shape[target]!);
  }
  for (const name of cleared(described, given.clear, emptied)) {
    if (fields[name] !== undefined)
      throw refuse(codeOfPlace(described, name), `${name} is both given and in clear.`, {
        hint: 'Either give a value or clear it.',
        field: name,
      });
    fields[name] = null;
  }
  for (const [name, value] of Object.entries(described.toolDefaults ?? {})) fields[name] ??= value;
  return fields;
}

function cleared(described: AnyOperation, clear: unknown, allowed: readonly string[]): string[] {
  if (clear === undefined || clear === null || allowed.length === 0) return [];
  const named = repaired(clear, 'array');
  if (!Array.isArray(named) || named.some((name) => typeof name !== 'string' || !allowed.includes(name)))
    throw refuse('invalid_body', `clear names a field that ${described.name} cannot empty.`, {
      hint: `It takes an array of: ${allowed.join(', ')}.`,
      field: 'clear',
    });
  return [...new Set(named as string[])];
}

export interface UnderstandingContext {
  readonly zone: string;
  readonly now: number;
  readonly lang: Lang;
  readonly directory: Directory;
}

/** What the operation is asked, as it travels on the wire and as it is run, with what the summary should say of how it was read. */
export interface Understood {
  readonly wire: Record<string, unknown>;
  readonly input: Record<string, unknown>;
  readonly remarks: readonly string[];
}

/**
 * Reads a tool's arguments: names become ids, local and plain-word times become instants, amounts in words become
 * figures, times of day take the form in which they travel. Everything else is checked before a name is looked up, so that a malformed entry is told first.
 */
export async function understandTool(
  described: AnyOperation,
  sent: unknown,
  context: UnderstandingContext,
): Promise<Understood> {
  const fields = inLang(described, fieldsOf(described, argumentsObject(sent)), context.lang);
  const shape = described.input.shape as z.ZodRawShape;
  const remarks: string[] = [];
  const wire: Record<string, unknown> = {};
  const references: [string, string, 'module' | 'parcel'][] = [];
  for (const [name, value] of Object.entries(startsFirst(fields, shape))) {
    const { kind, endOf } = factsOf(shape[name]!);
    if ((kind === 'module' || kind === 'parcel') && typeof value === 'string' && value.trim() !== '') {
      references.push([name, value, kind]);
      wire[name] = 1;
    } else if ((kind === 'instant' || kind === 'bound') && typeof value === 'string') {
      const startedAt = endOf === null ? Number.NaN : Date.parse(String(wire[endOf]));
      wire[name] = toolInstant(described, name, value, { ...context, startedAt }, remarks);
    } else {
      if (kind === 'point') refusePointInWords(name, value, context);
      wire[name] = toolClock(name, toolAmount(described, name, value));
    }
  }
  const entry = readArguments(described, wire, toolName);
  described.check?.(entry, context);
  if (references.length === 0) return { wire, input: entry, remarks };
  const { onlyProbe } = sayingWords(context.lang);
  for (const [name, text, kind] of references) {
    const resolve = kind === 'module' ? resolveModule : resolveParcel;
    const found = await resolve(text, context.directory, described.unknown?.[kind] ?? 'not_found', toolName(name));
    wire[name] = found.id;
    if (found.onlyProbe) remarks.push(onlyProbe(found.onlyProbe.parcel, found.onlyProbe.probe));
  }
  return { wire, input: readArguments(described, wire, toolName), remarks };
}

/** The fields with every end behind its start: an end is read by it. */
const startsFirst = (fields: Record<string, unknown>, shape: z.ZodRawShape): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).sort(
      ([a], [b]) => Number(factsOf(shape[a]!).endOf !== null) - Number(factsOf(shape[b]!).endOf !== null),
    ),
  );
