import type { z } from 'zod/v3';
import { itemAt } from '../domain/items.ts';
import type { Lang } from '../domain/lang.ts';
import { type FieldMetadata, fieldMetadata } from '../schema/field.ts';
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

export type ArgumentLocation = 'path' | 'query' | 'body';

export function argumentLocation(endpoint: Endpoint, name: string): ArgumentLocation {
  if (pathParameters(endpoint).includes(name)) return 'path';
  return takesBody(endpoint) ? 'body' : 'query';
}

/** What the tool runs: the operation itself, and those for its other targets. */
export const variantsOf = (operation: AnyOperation): AnyOperation[] =>
  [operation, operation.tool?.parcelVariant, operation.tool?.sourceVariant].filter(
    (variant) => variant !== undefined,
  );

export const toolNameOf = ({ name, tool }: Pick<AnyOperation, 'name' | 'tool'>): string =>
  tool?.name ?? name;

export interface OperationField {
  readonly name: string;
  /** The name that the caller uses. A tool has another name for some: "module" for moduleId. */
  readonly argument: string;
  readonly schema: z.ZodTypeAny;
  readonly metadata: FieldMetadata;
  readonly location: ArgumentLocation;
  readonly errorCode: string;
}

export type FieldsByName<Field extends OperationField = OperationField> = ReadonlyMap<
  string,
  Field
>;

type WithInput = Pick<AnyOperation, 'input' | 'endpoint'>;

export function operationField(
  endpoint: Endpoint,
  name: string,
  schema: z.ZodTypeAny,
): OperationField {
  const metadata = fieldMetadata(schema);
  const location = argumentLocation(endpoint, name);
  return {
    name,
    argument: name,
    schema,
    metadata,
    location,
    errorCode: metadata.code ?? (location === 'body' ? 'invalid_body' : 'invalid_parameter'),
  };
}

export function oncePerOperation<Operation extends WithInput, T>(
  compute: (operation: Operation) => T,
): (operation: Operation) => T {
  const computed = new WeakMap<Operation, T>();
  return (operation) => {
    const known = computed.get(operation);
    if (known !== undefined) return known;
    const value = compute(operation);
    computed.set(operation, value);
    return value;
  };
}

/** The fields of the endpoint by name, in the order of the input. */
export const inputFields = oncePerOperation((operation: WithInput): FieldsByName => {
  const shape: z.ZodRawShape = operation.input.shape;
  const fields = Object.entries(shape).map(([name, schema]) =>
    operationField(operation.endpoint, name, schema),
  );
  return new Map(fields.map((field) => [field.name, field]));
});
