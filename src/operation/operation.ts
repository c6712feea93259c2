import type { z } from 'zod/v3';
import type { Lang } from '../domain/lang.ts';
import type { NameDirectory, PersonContext, SummaryContext } from '../language/summary-context.ts';
import type { Advisory } from '../schema/advisory.ts';
import {
  acceptsNull,
  fieldMetadata,
  moduleRef,
  parcelRef,
  unwrapModifiers,
} from '../schema/field.ts';
import type { Scope } from '../schema/scope.ts';
import type { CompanyDb } from '../store/tables.ts';
import type { Caller } from './authorization.ts';
import type { Call, CheckContext, ComposedCall, LastStage, StagedCall } from './call.ts';
import type { Effect, Toolset } from './operation-kind.ts';

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly status: 200 | 201;
}

type ToolDefaults = Readonly<Record<string, string | number>>;

type ComputedDefault = (
  fields: Readonly<Record<string, unknown>>,
  context: { readonly now: number; readonly zone: string },
) => unknown;

export interface Picture {
  readonly mimeType: 'image/png';
  readonly data: Uint8Array;
}

export type CodesByStatus = Readonly<Record<number, readonly string[]>>;

export interface OperationResource {
  /** At most one tool argument in braces: acequia://modules/{module}. */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly whereTrue?: readonly string[];
  /** The server watches at most one such resource. */
  readonly isSubscribable?: true;
}

/**
 * For a tool that is listed only to clients that render the page as an MCP App. `host`: models open
 * the page with it; it is composed of other operations and has no endpoint of its own. `view`: only
 * the page calls it, hidden from models.
 */
type Audience = 'host' | 'view';

/** The stored resource that an update changes. */
interface StoredResource {
  /** Takes the same path parameters. */
  readonly read: CallOperation;
  /** Fields that a tool may leave out and REST requires. */
  unchanged(stored: Any, sent: Any): Record<string, unknown>;
}

export interface ArgumentContext {
  readonly zone: string;
  readonly now: number;
  readonly lang: Lang;
  readonly directory: NameDirectory;
  readonly runRead: RunRead;
}

/** Runs a read operation for the same caller. */
export type RunRead = (
  operation: CallOperation,
  fields: Record<string, unknown>,
) => Promise<unknown>;

/**
 * How a tool finds the id of a row, its path parameter, by the probe or parcel that the row belongs
 * to.
 */
export interface IdLookup {
  readonly kind: 'alert' | 'schedule' | 'installation';
  /** Hint of the error when the target has no such row. */
  readonly noneHint: string;
  /** Rows of the target, of its whole parcel, and of single probes of it. */
  rows(target: LookupTarget, context: ArgumentContext): Promise<readonly IdentifiedRow[]>;
  /** The probe or parcel that the row belongs to. */
  targetOf(row: Any): LookupTarget;
  /** Words that tell the row from the others. */
  describe(row: Any, context: SummaryContext): Promise<string>;
}

export interface LookupTarget {
  readonly moduleId?: number | null;
  readonly parcelId?: number | null;
}

export interface IdentifiedRow {
  readonly id: string | number;
  readonly isActive: boolean;
}

export interface AskingCaller {
  readonly caller: Caller;
  readonly db: CompanyDb;
}

interface OperationDefinition<I extends z.AnyZodObject, O extends z.ZodTypeAny> {
  readonly name: string;
  readonly title: string;
  /** For the model: what it does, when to use it and when not. 40 to 1,000 characters. */
  readonly description: string;
  readonly toolset: Toolset;
  /** One of the tools of daily work. */
  readonly inDailyToolset?: true;
  readonly endpoint: Endpoint;
  readonly scope: Scope;
  /** Alternatives to `scope`; the use case checks which one the call needs. */
  readonly orScopes?: readonly Scope[];
  readonly effect: Effect;
  readonly input: I;
  readonly output: O;
  readonly toolDefaults?: ToolDefaults;
  /**
   * For fields that a tool may leave out although the endpoint requires them; other fields may
   * still be invalid.
   */
  readonly computedDefaults?: Readonly<Record<string, ComputedDefault>>;
  readonly isRestOnly?: true;
  readonly audience?: Audience;
  readonly stored?: StoredResource;
  readonly idLookup?: IdLookup;
  /** Runs instead when the tool is called with `parcel` and no `module`. */
  readonly parcelVariant?: AnyOperation;
  /** Name of the tool that runs it, if it is not a tool itself. */
  readonly tool?: string;
  /** In an empty store, a write first creates the company. */
  readonly worksWithoutCompany?: true;
  readonly storesReadings?: true;
  /**
   * Whether a read of this input takes long, so that a service runs it apart from short ones;
   * default: never.
   */
  isLong?(input: z.output<I>, now: number): boolean;
  /**
   * Its body depends on no more of the caller than the scopes, so that callers share the answer to
   * a long read.
   */
  readonly isShared?: true;
  /**
   * Adds what depends on the caller to the body of `run`; not by a remote service's composed
   * operations.
   */
  forCaller?(body: z.output<O>, asking: AskingCaller): Promise<z.output<O>>;
  /** The answer is shown once and not stored, so that a repeated call gets another one. */
  readonly answerIsSecret?: true;
  /**
   * Answers for a remote service that lacks the endpoint. Without it, operations composed of this
   * one need the endpoint.
   */
  readonly bodyIfUnsupported?: z.output<O>;
  /**
   * The field of a tool's structured content that has the body, if the body may be null: the
   * content is an object.
   */
  readonly wrapBodyAs?: string;
  /** The answer with `detail` concise. The summary is written from the whole body. */
  concise?(body: z.output<O>, context: SummaryContext): object;
  /** Adds what the page cannot do because tools are filtered. */
  withFilter?(body: z.output<O>, isOffered: (operation: AnyOperation) => boolean): z.output<O>;
  /**
   * For the OpenAPI document, in addition to the codes that follow from the arguments and the
   * effect.
   */
  readonly errorCodes?: CodesByStatus;
  readonly resource?: OperationResource;
  readonly listsNamesOf?: 'modules' | 'parcels';
  /**
   * If a dose lacks only the flow rate, the person is asked for it, and these operations store it.
   */
  readonly asksFlowRate?: {
    readonly correctInstallation: AnyOperation;
    readonly getWatering: AnyOperation;
  };
  /** A person who can be asked confirms it first; `run` decides whether. */
  readonly asksConfirmation?: true;
  /** Runs before names are looked up or rows are read. */
  check?(input: z.output<I>, context: CheckContext): void;
  /** One or two sentences that a voice assistant can read aloud. */
  summary(
    output: z.output<O>,
    context: SummaryContext,
    input: z.output<I>,
    advisories: readonly Advisory[],
  ): string | Promise<string>;
  /** Notes that the summary itself expresses; the others are appended to it. */
  readonly summarizedAdvisories?: readonly Advisory['kind'][];
  render?(output: z.output<O>, context: PersonContext): Promise<Picture>;
}

interface StoreOperation<I extends z.AnyZodObject, O extends z.ZodTypeAny>
  extends OperationDefinition<I, O> {
  readonly parts?: undefined;
  readonly batch?: undefined;
  run(call: Call, input: z.output<I>): Promise<z.input<O>>;
}

/** Takes batches of any size, which several transactions store. */
interface BatchOperation<I extends z.AnyZodObject, O extends z.ZodTypeAny>
  extends OperationDefinition<I, O> {
  readonly parts?: undefined;
  readonly batch: {
    /**
     * The argument that a CSV body fills, with the others in the query; null if bodies are JSON of
     * the usual size.
     */
    readonly csv: string | null;
  };
  /** False for data from devices, which the list of changes leaves out. */
  isListedChange?(body: z.output<O>): boolean;
  run(call: StagedCall, input: z.output<I>): Promise<LastStage<z.input<O>>>;
}

/** Composed of other operations only, so that it also runs against a remote service. */
interface ComposedOperation<
  I extends z.AnyZodObject,
  O extends z.ZodTypeAny,
  P extends AnyOperations,
> extends OperationDefinition<I, O> {
  readonly parts: P;
  readonly batch?: undefined;
  run(call: ComposedCall, input: z.output<I>, operations: PartRuns<P>): Promise<z.input<O>>;
}

type PartRuns<P extends AnyOperations> = {
  readonly [Name in keyof P]: (
    fields: z.input<P[Name]['input']>,
  ) => Promise<z.output<P[Name]['output']>>;
};

interface AnyOperations {
  readonly [name: string]: CallOperation;
}

// biome-ignore lint/suspicious/noExplicitAny: a list holds operations of every input and output
type Any = any;

type AnyBody = z.ZodType<Any, z.ZodTypeDef, Any>;

export interface AnyComposedOperation extends OperationDefinition<z.AnyZodObject, AnyBody> {
  readonly parts: AnyOperations;
  readonly batch?: undefined;
  run(
    call: ComposedCall,
    input: Any,
    operations: { readonly [name: string]: (fields: Any) => Promise<Any> },
  ): Promise<unknown>;
}

/** Runs in one transaction. */
export type CallOperation = StoreOperation<z.AnyZodObject, AnyBody> | AnyComposedOperation;

type AnyBatchOperation = BatchOperation<z.AnyZodObject, AnyBody>;

export type AnyOperation = CallOperation | AnyBatchOperation;

export const operation = <I extends z.AnyZodObject, O extends z.ZodTypeAny>(
  card: StoreOperation<I, O>,
): StoreOperation<I, O> => card;

export const batchOperation = <I extends z.AnyZodObject, O extends z.ZodTypeAny>(
  card: BatchOperation<I, O>,
): BatchOperation<I, O> => card;

export const composedOperation = <
  I extends z.AnyZodObject,
  O extends z.ZodTypeAny,
  P extends AnyOperations,
>(
  card: ComposedOperation<I, O, P>,
): ComposedOperation<I, O, P> => card;

export const structuredBody = (
  { wrapBodyAs }: Pick<AnyOperation, 'wrapBodyAs'>,
  body: unknown,
): Record<string, unknown> =>
  wrapBodyAs === undefined ? (body as Record<string, unknown>) : { [wrapBodyAs]: body };

export const bodyInDetail = (
  { concise }: AnyOperation,
  body: unknown,
  { detail }: Readonly<Record<string, unknown>>,
  context: SummaryContext,
): unknown => (concise && detail === 'concise' ? concise(body, context) : body);

const pathParameterCache = new Map<string, readonly string[]>();

export function pathParameters({ path }: Endpoint): readonly string[] {
  const cached = pathParameterCache.get(path);
  if (cached) return cached;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  pathParameterCache.set(path, names);
  return names;
}

/** Default: English over REST, a person's own language elsewhere. */
export const withLang = (
  { input }: Pick<AnyOperation, 'input'>,
  fields: Record<string, unknown>,
  lang: Lang,
): Record<string, unknown> => ('lang' in input.shape ? { lang, ...fields } : fields);

export function argumentLocation(endpoint: Endpoint, name: string): 'path' | 'query' | 'body' {
  if (pathParameters(endpoint).includes(name)) return 'path';
  return endpoint.method === 'GET' || endpoint.method === 'DELETE' ? 'query' : 'body';
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
      required.map((name) => [name, unwrapModifiers(inputField(operation, name)!)]),
    ),
  );
}

type ToolInput = WithInput & Pick<AnyOperation, 'idLookup' | 'endpoint'>;

/** Arguments in place of an id, which the tool then finds. */
const LOOKUP_FIELDS: Readonly<Record<string, z.ZodTypeAny>> = {
  moduleId: moduleRef({ description: 'Or its probe.' }).optional(),
  parcelId: parcelRef({ description: 'Or its parcel.' }).optional(),
};

export const isLookupField = (operation: ToolInput, name: string): boolean =>
  operation.idLookup !== undefined &&
  name in LOOKUP_FIELDS &&
  inputField(operation, name) === undefined;

export const toolFields = (operation: ToolInput): [name: string, schema: z.ZodTypeAny][] =>
  inputFields(operation).flatMap(([name, schema]): [string, z.ZodTypeAny][] => {
    if (fieldMetadata(schema).isRestOnly) return [];
    const isFound =
      operation.idLookup !== undefined && pathParameters(operation.endpoint).includes(name);
    return isFound
      ? [[name, schema.optional()], ...Object.entries(LOOKUP_FIELDS)]
      : [[name, schema]];
  });

export const toolField = (operation: ToolInput, name: string): z.ZodTypeAny | undefined =>
  isLookupField(operation, name) ? LOOKUP_FIELDS[name] : inputField(operation, name);

export const toolNameOf = ({ name, tool }: Pick<AnyOperation, 'name' | 'tool'>): string =>
  tool ?? name;

export function toolArgumentName(operation: ToolInput, name: string): string {
  const schema = toolField(operation, name);
  return (schema && fieldMetadata(schema).argument) ?? name;
}

export const clearableFields = (operation: AnyOperation): string[] =>
  operation.effect !== 'update'
    ? []
    : toolFields(operation)
        .filter(([, schema]) => acceptsNull(schema))
        .map(([name]) => toolArgumentName(operation, name));
