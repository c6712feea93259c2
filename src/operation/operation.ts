import type { z } from 'zod/v3';
import type { Lang } from '../domain/lang.ts';
import type { NameDirectory, PersonContext, SummaryContext } from '../language/summary-context.ts';
import type { Advisory } from '../schema/advisory.ts';
import type { Scope } from '../schema/scope.ts';
import type { CompanyDb } from '../store/tables.ts';
import type { Caller } from './authorization.ts';
import type { Call, CheckContext, ComposedCall, LastStage, StagedCall } from './call.ts';
import type { Effect, Toolset } from './operation-kind.ts';
import type { Picture } from './operation-result.ts';
import type { FollowUp } from './question.ts';

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

/** How REST differs from the tool. */
interface RestDefinition {
  /** The operation is no tool. */
  readonly isOnly?: true;
  /**
   * For the OpenAPI document, in addition to the codes that follow from the arguments and the
   * effect.
   */
  readonly errorCodes?: CodesByStatus;
}

/** How assistants find and call the operation, and what they show of its answer. */
interface ToolDefinition {
  /** The name of the tool that runs it, if it is not a tool itself. */
  readonly name?: string;
  /** One of the tools of daily work. */
  readonly inDailyToolset?: true;
  /** Where they differ from those of REST. */
  readonly defaults?: ToolDefaults;
  /**
   * Serves fields that a tool may leave out although the endpoint requires them; other fields may
   * still be invalid.
   */
  readonly computedDefaults?: Readonly<Record<string, ComputedDefault>>;
  /** Set for an update: fields that are left out keep their stored values. */
  readonly storedResource?: StoredResource;
  /** Finds the id of a row by the probe or parcel that it belongs to. */
  readonly idLookup?: IdLookup;
  /** Runs instead when the tool is called with `parcel` and no `module`. */
  readonly parcelVariant?: AnyOperation;
  /** Its rows are the names that arguments may give in place of ids. */
  readonly listsNamesOf?: 'modules' | 'parcels';
  /**
   * The field of a tool's structured content that has the body, if the body may be null: the
   * content is an object.
   */
  readonly wrapBodyAs?: string;
  /** The answer is also a resource that clients can read. */
  readonly resource?: OperationResource;
  /** A person who can be asked confirms it first; `run` decides whether. */
  readonly asksConfirmation?: true;
  /** Asks a person, if they can be asked, for what the answer lacks. */
  readonly followUp?: FollowUp<AnyOperation>;
}

/** How the live page uses the operation. */
interface PageDefinition<O extends z.ZodTypeAny> {
  /**
   * For a tool that is listed only to clients that render the page as an MCP App. `app-entry`:
   * models open the page with it; it is composed of other operations and has no endpoint of its
   * own. `app-only`: only the page calls it, hidden from models.
   */
  readonly audience?: 'app-entry' | 'app-only';
  /** Adds what the page cannot do because tools are filtered. */
  withFilter?(body: z.output<O>, isOffered: (operation: AnyOperation) => boolean): z.output<O>;
}

/** How the operation runs against a service elsewhere. */
interface RemoteDefinition<O extends z.ZodTypeAny> {
  /**
   * Answers for a service that lacks the endpoint. Without it, operations composed of this one need
   * the endpoint.
   */
  readonly bodyIfUnsupported?: z.output<O>;
}

/** How a service of many callers runs a read. */
interface LoadDefinition<I extends z.AnyZodObject, O extends z.ZodTypeAny> {
  /** Whether a read of this input takes long and runs apart from short ones; default: never. */
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
}

/** What an operation declares beside how it runs. */
interface OperationDefinition<I extends z.AnyZodObject, O extends z.ZodTypeAny> {
  /** In snake_case, of at most 32 characters. */
  readonly name: string;
  /** People read it in lists of tools. */
  readonly title: string;
  /** Tells the model what it does, when to use it and when not. 40 to 1,000 characters. */
  readonly description: string;
  /** Chosen as a whole when Acequia is started. */
  readonly toolset: Toolset;
  readonly endpoint: Endpoint;
  /** What the key of the caller must allow. */
  readonly scope: Scope;
  /** Alternatives to `scope`; the use case checks which one the call needs. */
  readonly orScopes?: readonly Scope[];
  /** Decides hints, confirmation, transactions and idempotency. */
  readonly effect: Effect;
  /** All arguments: of path, query and body. */
  readonly input: I;
  /** The body of the answer. */
  readonly output: O;

  readonly tool?: ToolDefinition;
  readonly rest?: RestDefinition;
  readonly page?: PageDefinition<O>;
  readonly remote?: RemoteDefinition<O>;
  readonly load?: LoadDefinition<I, O>;

  /** In an empty store, a write first creates the company. */
  readonly worksWithoutCompany?: true;
  /** Alerts are evaluated afterwards. */
  readonly storesReadings?: true;
  /** The answer is shown once and not stored, so that a repeated call gets another one. */
  readonly answerIsSecret?: true;

  /** Runs before names are looked up or rows are read. */
  check?(input: z.output<I>, context: CheckContext): void;
  /** One or two sentences that a voice assistant can read aloud. */
  summary(
    output: z.output<O>,
    context: SummaryContext,
    input: z.output<I>,
    advisories: readonly Advisory[],
  ): string | Promise<string>;
  /** Advisories that the summary itself expresses; the others are appended to it. */
  readonly summarizedAdvisories?: readonly Advisory['kind'][];
  /** The answer with `detail` concise. The summary is written from the whole body. */
  concise?(body: z.output<O>, context: SummaryContext): object;
  /** Draws the answer. */
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

/** Callers are typed by the name, too. */
interface Named<Name extends string> {
  readonly name: Name;
}

export const operation = <
  const Name extends string,
  I extends z.AnyZodObject,
  O extends z.ZodTypeAny,
>(
  definition: StoreOperation<I, O> & Named<Name>,
): StoreOperation<I, O> & Named<Name> => definition;

export const batchOperation = <
  const Name extends string,
  I extends z.AnyZodObject,
  O extends z.ZodTypeAny,
>(
  definition: BatchOperation<I, O> & Named<Name>,
): BatchOperation<I, O> & Named<Name> => definition;

export const composedOperation = <
  const Name extends string,
  I extends z.AnyZodObject,
  O extends z.ZodTypeAny,
  P extends AnyOperations,
>(
  definition: ComposedOperation<I, O, P> & Named<Name>,
): ComposedOperation<I, O, P> & Named<Name> => definition;

export const structuredBody = (
  { tool }: Pick<AnyOperation, 'tool'>,
  body: unknown,
): Record<string, unknown> =>
  tool?.wrapBodyAs === undefined ? (body as Record<string, unknown>) : { [tool.wrapBodyAs]: body };

export const bodyInDetail = (
  { concise }: AnyOperation,
  body: unknown,
  { detail }: Readonly<Record<string, unknown>>,
  context: SummaryContext,
): unknown => (concise && detail === 'concise' ? concise(body, context) : body);
