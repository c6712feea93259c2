import type { z } from 'zod';
import type { Lang } from '../domain/lang.ts';
import type { SummaryContext } from '../language/summary-context.ts';
import type { Scope } from '../schema/scope.ts';
import type { Call, CheckContext, ComposedCall } from './call.ts';

export const TOOLSETS = ['irrigation', 'monitoring', 'soil', 'alerts', 'company', 'advice'] as const;
export type Toolset = (typeof TOOLSETS)[number];
export const TOOLSET_DESCRIPTIONS: Readonly<Record<Toolset, string>> = {
  irrigation: 'Waterings, schedules, equipment.',
  monitoring: 'Probes, stations, gateways and what they measure.',
  soil: 'Parcels and their soil.',
  alerts: 'Alerts, and drawings on the curves.',
  company: 'The company, its members, codes and labels.',
  advice: 'What to water, and how it went.',
};

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

export type CodesByStatus = Readonly<Record<number, readonly string[]>>;

/** The answer of an operation that reads, by URI. */
export interface OperationResource {
  /** An argument of the tool stands in braces: acequia://modules/{module}. */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Arguments beside those in the URI. */
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** Of a list, read to its end, only the rows in which this field is true: the names on the way to it. */
  readonly onlyFlagged?: readonly string[];
  /** Clients can subscribe to it; the server watches its one such resource for changes. */
  readonly isSubscribable?: true;
}

/** What every operation declares: tools, routes, documents and checks are rendered from it. */
interface Card<I extends z.AnyZodObject, O extends z.ZodTypeAny> {
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
  /** An endpoint for programs, not a tool. */
  readonly restOnly?: true;
  /** Takes batches from programs: larger bodies, compressed or not, and CSV in place of JSON. */
  readonly batch?: {
    /** The argument that a CSV body stands for; the others are then in the query. */
    readonly csv: string;
  };
  /** Brings readings in, so that alerts are evaluated after it. */
  readonly bringsReadings?: true;
  /** Name under which a tool gives a body that may be null: structured content is always an object. */
  readonly wrap?: string;
  /** Error codes by status that neither its arguments nor every operation of its kind has, for documents. */
  readonly errorCodes?: CodesByStatus;
  /** How a client of MCP reads its answer by URI. */
  readonly resource?: OperationResource;
  /** It lists the names of these: they are hidden from callers who may not perform it. */
  readonly listsNamesOf?: 'modules' | 'parcels';
  /** Where a dose lacks the flow rate alone, the person is asked for it, and these operations enter the answer. */
  readonly asksFlowRate?: { readonly correctInstallation: AnyOperation; readonly correctWatering: AnyOperation };
  /** Refuses what is wrong with the entry alone, before a name is looked up or a row is read. */
  check?(input: z.output<I>, context: CheckContext): void;
  /** One or two sentences that a voice assistant can read aloud. */
  summary(output: z.output<O>, context: SummaryContext, input: z.output<I>): string | Promise<string>;
  /** The answer as a picture, in place of its body. */
  render?(output: z.output<O>, context: SummaryContext): Promise<Picture>;
}

/** An operation on the rows of a store. */
interface StoreOperation<I extends z.AnyZodObject, O extends z.ZodTypeAny> extends Card<I, O> {
  readonly performs?: undefined;
  run(call: Call, input: z.output<I>): Promise<z.input<O>>;
}

/** An operation made of other operations alone, so that it also runs where these are requested from a remote service. */
interface ComposedOperation<I extends z.AnyZodObject, O extends z.ZodTypeAny, P extends AnyOperations>
  extends Card<I, O> {
  /** The operations that `run` gets to perform: reads within the scope of this one. */
  readonly performs: P;
  run(call: ComposedCall, input: z.output<I>, operations: Performed<P>): Promise<z.input<O>>;
}

/** Operations as functions: from the arguments as they travel over the wire to the body. */
export type Performed<P extends AnyOperations> = {
  readonly [Name in keyof P]: (fields: z.input<P[Name]['input']>) => Promise<z.output<P[Name]['output']>>;
};

/** Operations by the names that `run` knows them by. */
interface AnyOperations {
  readonly [name: string]: AnyOperation;
}

// biome-ignore lint/suspicious/noExplicitAny: a list holds operations of every input and output
type Any = any;

type AnyBody = z.ZodType<Any, z.ZodTypeDef, Any>;

export interface AnyComposedOperation extends Card<z.AnyZodObject, AnyBody> {
  readonly performs: AnyOperations;
  run(
    call: ComposedCall,
    input: Any,
    operations: { readonly [name: string]: (fields: Any) => Promise<Any> },
  ): Promise<unknown>;
}

/** An operation in a list, where its own types no longer matter. */
export type AnyOperation = StoreOperation<z.AnyZodObject, AnyBody> | AnyComposedOperation;

/** Declares an operation; `run` takes and returns what its schemas say. */
export const operation = <I extends z.AnyZodObject, O extends z.ZodTypeAny>(
  card: StoreOperation<I, O>,
): StoreOperation<I, O> => card;

/** Declares an operation that is composed of others. */
export const composedOperation = <I extends z.AnyZodObject, O extends z.ZodTypeAny, P extends AnyOperations>(
  card: ComposedOperation<I, O, P>,
): ComposedOperation<I, O, P> => card;

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
