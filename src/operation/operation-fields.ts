import type { z } from 'zod/v3';
import { itemAt } from '../domain/items.ts';
import type { Lang } from '../domain/lang.ts';
import { acceptsNull, fieldMetadata, unwrapModifiers } from '../schema/field.ts';
import { moduleRef, parcelRef } from '../schema/shared-fields.ts';
import type { AnyOperation, Endpoint } from './operation.ts';

const pathParameterCache = new Map<string, readonly string[]>();

export function pathParameters({ path }: Endpoint): readonly string[] {
  const cached = pathParameterCache.get(path);
  if (cached) return cached;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => itemAt(match, 1));
  pathParameterCache.set(path, names);
  return names;
}

/** Adds `lang` for an operation that takes it: its default is English only for REST clients. */
export const withLang = (
  { input }: Pick<AnyOperation, 'input'>,
  fields: Record<string, unknown>,
  lang: Lang,
): Record<string, unknown> => ('lang' in input.shape ? { lang, ...fields } : fields);

export const takesBody = ({ method }: Pick<Endpoint, 'method'>): boolean =>
  method !== 'GET' && method !== 'DELETE';

export function argumentLocation(endpoint: Endpoint, name: string): 'path' | 'query' | 'body' {
  if (pathParameters(endpoint).includes(name)) return 'path';
  return takesBody(endpoint) ? 'body' : 'query';
}

export const defaultErrorCode = ({ endpoint }: { endpoint: Endpoint }, name: string): string =>
  argumentLocation(endpoint, name) === 'body' ? 'invalid_body' : 'invalid_parameter';

type WithInput = Pick<AnyOperation, 'input'>;

export function inputFields({ input }: WithInput): [name: string, schema: z.ZodTypeAny][] {
  const shape: z.ZodRawShape = input.shape;
  return Object.entries(shape);
}

export function inputField({ input }: WithInput, name: string): z.ZodTypeAny | undefined {
  const shape: z.ZodRawShape = input.shape;
  return Object.hasOwn(shape, name) ? shape[name] : undefined;
}

/** For a name that is certain to be a field of the operation. */
export const knownInputField = (operation: WithInput, name: string): z.ZodTypeAny =>
  known(inputField(operation, name), name);

function known(field: z.ZodTypeAny | undefined, name: string): z.ZodTypeAny {
  if (field === undefined) throw new Error(`There is no field ${name}`);
  return field;
}

export const fieldsRequiredInRest = (operation: WithInput): string[] =>
  inputFields(operation).flatMap(([name, schema]) =>
    fieldMetadata(schema).isRequiredInRest ? [name] : [],
  );

/** The input with the fields required that only tools may leave out. */
export function restInput(operation: WithInput): z.AnyZodObject {
  const required = fieldsRequiredInRest(operation);
  if (required.length === 0) return operation.input;
  return operation.input.extend(
    Object.fromEntries(
      required.map((name) => [name, unwrapModifiers(knownInputField(operation, name))]),
    ),
  );
}

type ToolInput = WithInput & Pick<AnyOperation, 'tool' | 'endpoint' | 'effect'>;

/** What a tool takes in place of the id of a row, which it then looks up. */
const LOOKUP_FIELDS: Readonly<Record<string, z.ZodTypeAny>> = {
  moduleId: moduleRef({ description: 'Or its probe.' }).optional(),
  parcelId: parcelRef({ description: 'Or its parcel.' }).optional(),
};

export const isLookupField = (operation: ToolInput, name: string): boolean =>
  operation.tool?.idLookup !== undefined &&
  name in LOOKUP_FIELDS &&
  inputField(operation, name) === undefined;

export type NamedField = [name: string, schema: z.ZodTypeAny];

/** How a tool takes the fields of its operation. */
interface ToolFields {
  readonly list: readonly NamedField[];
  readonly nameByArgument: ReadonlyMap<string, string>;
  /** The arguments that `clear` may name. */
  readonly clearable: readonly string[];
}

/** Computed once per operation, because each call reads it several times. */
const toolFieldsCache = new WeakMap<ToolInput, ToolFields>();

function toolFieldsOf(operation: ToolInput): ToolFields {
  const cached = toolFieldsCache.get(operation);
  if (cached) return cached;

  const list = inputFields(operation).flatMap(([name, schema]): NamedField[] => {
    if (fieldMetadata(schema).isRestOnly) return [];
    const isReplaceableId =
      operation.tool?.idLookup !== undefined && pathParameters(operation.endpoint).includes(name);
    return isReplaceableId
      ? [[name, schema.optional()], ...Object.entries(LOOKUP_FIELDS)]
      : [[name, schema]];
  });
  const argumentOf = ([name]: NamedField): string => toolArgumentName(operation, name);
  const clearable =
    operation.effect === 'update' ? list.filter(([, schema]) => canBeEmptied(schema)) : [];

  const fields: ToolFields = {
    list,
    nameByArgument: new Map(list.map((each) => [argumentOf(each), each[0]])),
    clearable: clearable.map(argumentOf),
  };
  toolFieldsCache.set(operation, fields);
  return fields;
}

const canBeEmptied = (schema: z.ZodTypeAny): boolean =>
  acceptsNull(schema) && !fieldMetadata(schema).isAbsentIfNull;

export const toolFields = (operation: ToolInput): readonly NamedField[] =>
  toolFieldsOf(operation).list;

export const fieldNamesByArgument = (operation: ToolInput): ReadonlyMap<string, string> =>
  toolFieldsOf(operation).nameByArgument;

export const clearableFields = (operation: ToolInput): readonly string[] =>
  toolFieldsOf(operation).clearable;

export const toolField = (operation: ToolInput, name: string): z.ZodTypeAny | undefined =>
  isLookupField(operation, name) ? LOOKUP_FIELDS[name] : inputField(operation, name);

/** For a name that is certain to be a field of the tool. */
export const knownToolField = (operation: ToolInput, name: string): z.ZodTypeAny =>
  known(toolField(operation, name), name);

export const toolNameOf = ({ name, tool }: Pick<AnyOperation, 'name' | 'tool'>): string =>
  tool?.name ?? name;

export function toolArgumentName(operation: ToolInput, name: string): string {
  const schema = toolField(operation, name);
  return (schema && fieldMetadata(schema).argument) ?? name;
}
