import type { z } from 'zod';
import type { Lang } from '../domain/lang.ts';
import type { SummaryContext } from '../language/summary-context.ts';
import type { Scope } from '../schema/scope.ts';
import type { Call, CheckContext } from './call.ts';

export const TOOLSETS = ['irrigation', 'monitoring', 'soil', 'alerts', 'company', 'advice'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** What an operation does to the books; hints, confirmation, transactions and the idempotency rule follow from it. */
export type Effect = 'read' | 'create' | 'update' | 'delete';

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base address, path parameters in braces. */
  readonly path: string;
  /** Status of success. */
  readonly status: 200 | 201;
}

/** Defaults that a tool has of its own, because a model reads what a program pages through. */
export type ToolDefaults = Readonly<Record<string, string | number>>;

/** What an operation answers with where a person is to look at it. */
export interface Picture {
  readonly mimeType: 'image/png';
  readonly data: Uint8Array;
}

/** One thing that can be done, described once: tools, routes, documents and checks are rendered from it. */
export interface Operation<I extends z.AnyZodObject = z.AnyZodObject, O extends z.ZodTypeAny = z.ZodTypeAny> {
  readonly name: string;
  readonly title: string;
  /** For the model: what it does, when to use it and when not. 40 to 1,000 characters. */
  readonly description: string;
  readonly toolset: Toolset;
  readonly endpoint: Endpoint;
  readonly scope: Scope;
  readonly effect: Effect;
  readonly input: I;
  readonly output: O;
  readonly toolDefaults?: ToolDefaults;
  /** For programs alone: it is an endpoint, and no tool. */
  readonly restOnly?: true;
  /** It takes batches of a program: larger bodies, compressed or not, and CSV in place of JSON. */
  readonly batch?: {
    /** The argument that a body of CSV stands for; the others are then in the query. */
    readonly csv: string;
  };
  /** It brings readings in: alerts are looked at once it has. */
  readonly bringsReadings?: true;
  /** Name under which a tool gives a body that may be null: structured content is always an object. */
  readonly wrap?: string;
  /** Code when a module or parcel that is named is unknown here; not_found where the endpoint has none of its own. */
  readonly unknown?: { readonly module?: string; readonly parcel?: string };
  /** Names of the operations that this one is composed of, by `call.perform`; all of them read, within its scope. */
  readonly performs?: readonly string[];
  /** Refuses what is wrong with the entry alone, before a name is looked up or a row is read. */
  check?(input: z.output<I>, asked: CheckContext): void;
  run(call: Call, input: z.output<I>): Promise<z.input<O>>;
  /** One or two sentences that a voice assistant can read aloud. */
  summary(output: z.output<O>, call: SummaryContext, input: z.output<I>): string | Promise<string>;
  /** The answer as a picture, in place of its body. */
  render?(output: z.output<O>, call: SummaryContext): Promise<Picture>;
}

/** Declares an operation, inferring what `run` takes and gives from its schemas. */
export const operation = <I extends z.AnyZodObject, O extends z.ZodTypeAny>(
  definition: Operation<I, O>,
): AnyOperation => definition as unknown as AnyOperation;

/** An operation in the list of all, where its own types no longer matter. */
// biome-ignore lint/suspicious/noExplicitAny: the list holds operations of every input and output
export type AnyOperation = Operation<z.AnyZodObject, z.ZodType<any, z.ZodTypeDef, any>>;

/** The body as a tool gives it. */
export const structuredBody = ({ wrap }: Pick<AnyOperation, 'wrap'>, body: unknown): Record<string, unknown> =>
  wrap === undefined ? (body as Record<string, unknown>) : { [wrap]: body };

export const isWrite = (operation: { effect: Effect }): boolean => operation.effect !== 'read';

const pathParameterCache = new Map<string, readonly string[]>();

/** Names of the path parameters, in order. */
export function pathParameters({ path }: Endpoint): readonly string[] {
  const cached = pathParameterCache.get(path);
  if (cached) return cached;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  pathParameterCache.set(path, names);
  return names;
}

/** What is asked in a language, where it names none: an endpoint labels in English by itself, a person hears their own. */
export const withLang = (
  { input }: Pick<AnyOperation, 'input'>,
  fields: Record<string, unknown>,
  lang: Lang,
): Record<string, unknown> => ('lang' in input.shape ? { lang, ...fields } : fields);

/** Where an argument travels over HTTP. */
export function argumentLocation(endpoint: Endpoint, name: string): 'path' | 'query' | 'body' {
  if (pathParameters(endpoint).includes(name)) return 'path';
  return endpoint.method === 'GET' || endpoint.method === 'DELETE' ? 'query' : 'body';
}

/** Code of a refused argument that has none of its own, by where it travels. */
export const defaultErrorCode = ({ endpoint }: { endpoint: Endpoint }, name: string): string =>
  argumentLocation(endpoint, name) === 'body' ? 'invalid_body' : 'invalid_parameter';

/** Names by which a tool's argument differs from the operation's field. */
const TOOL_ARGUMENT_NAMES: Record<string, string> = {
  moduleId: 'module',
  parcelId: 'parcel',
  targetModuleId: 'module',
  targetParcelId: 'parcel',
};

/** What a tool calls a field of its operation. */
export const toolArgumentName = (field: string): string => TOOL_ARGUMENT_NAMES[field] ?? field;
