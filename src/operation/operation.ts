import type { z } from 'zod/v3';
import type { Lang } from '../domain/lang.ts';
import type { Text } from '../domain/text/text.ts';
import type { UnitSystem } from '../domain/units.ts';
import type { NameDirectory, PersonContext, SummaryContext } from '../language/summary-context.ts';
import type { Advisory } from '../schema/advisory.ts';
import type { Scope } from '../schema/scope.ts';
import type { CompanyDb } from '../store/tables.ts';
import type { Caller } from './authorization.ts';
import type {
  Call,
  CheckContext,
  ComposedCall,
  LastStage,
  PendingWork,
  StagedCall,
} from './call.ts';
import type { FactSource } from './fact-source.ts';
import type { Effect, Toolset } from './operation-kind.ts';
import type { Picture } from './operation-result.ts';
import type { FollowUp } from './question.ts';

// biome-ignore lint/suspicious/noExplicitAny: lists hold operations of every input and output
type Any = any;

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

/** The arguments that a tool adds for an endpoint that replaces the stored resource whole. */
interface ArgumentsToKeep {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly advisories: readonly Advisory[];
}

/** Set by tools that keep what is not mentioned, for a service elsewhere, which would drop it. */
interface KeptResource {
  /** Takes the same path parameters. */
  readonly read: CallOperation;
  /** `stored` is null if the service does not show it to this key. */
  argumentsToKeep(stored: Any, input: Any, now: number): ArgumentsToKeep;
}

export interface ArgumentContext {
  /** The country of the company; null if it is not known. */
  readonly countryCode: string | null;
  /** In which a person's figures may be meant. */
  readonly units: UnitSystem;
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
 * How a tool that gets a probe or parcel in place of the id in the path finds the row that
 * belongs to it.
 */
export interface IdLookup {
  readonly kind: 'alert' | 'schedule' | 'installation';
  /** Says how to make such a row, for a target that has none. */
  readonly creationHint: Text;
  /**
   * For a probe, also those of its whole parcel; for a parcel, also those of its single probes. In
   * pages, because a parcel may have tens of thousands.
   */
  rowsConcerning(
    target: LookupTarget,
    context: ArgumentContext,
  ): AsyncIterable<readonly IdentifiedRow[]>;
  /** The probe or parcel that the row belongs to. */
  targetOf(row: Any): LookupTarget;
  /**
   * Asks about values that are implausible beside those of the row. A service asks only if it knows
   * the header of tool calls.
   */
  check?(row: Any, input: Any): void;
  /** Tells the row from the others, in words. */
  describe(row: Any, context: SummaryContext): Promise<Text>;
}

export interface LookupTarget {
  readonly moduleId?: number | null;
  readonly parcelId?: number | null;
}

/** A tool that changes the parcel or module of a name, or adds it. */
export interface NamedEntryTool {
  readonly kind: 'module' | 'parcel';
  /** A sentence that says what a new one lacks; null if it can be added. */
  missingOfNew?(fields: Readonly<Record<string, unknown>>): Text | null;
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
  /** The operation is no tool; it needs no summary. */
  readonly isRestOnly?: true;
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
  /** Loaded from the start by clients that load the other tools only once the model searches. */
  readonly isAlwaysLoaded?: true;
  /** Values of arguments that are left out, where they differ from those of REST. */
  readonly defaults?: ToolDefaults;
  /**
   * For fields that a tool may leave out although the endpoint requires them. Computed before the
   * other fields are validated.
   */
  readonly computedDefaults?: Readonly<Record<string, ComputedDefault>>;
  /** Asks about what REST takes as specified, by refusing it with what may be meant. */
  check?(input: Readonly<Record<string, unknown>>): void;
  /**
   * The resource that an update changes: fields that a tool leaves out keep their stored values.
   */
  readonly storedResource?: StoredResource;
  readonly keptResource?: KeptResource;
  readonly idLookup?: IdLookup;
  /** The argument `name` may be a spoken form of the stored name. */
  readonly namedEntry?: NamedEntryTool;
  /** Runs instead when the tool is called with `parcel` and no `module`. */
  readonly parcelVariant?: AnyOperation;
  /** Runs instead when it is called with `source` and neither `module` nor `parcel`. */
  readonly sourceVariant?: AnyOperation;
  /** Runs instead where the operation has no row with this id: ids are unique over both. */
  readonly otherKind?: AnyOperation;
  /** It lists what arguments may give by name in place of an id. */
  readonly listsNamesOf?: 'modules' | 'parcels';
  /**
   * The field of the tool's structured content that holds the body. Needed if the body may be null,
   * because structured content must be an object.
   */
  readonly wrapBodyAs?: string;
  /** The answer is also a resource that clients can read. */
  readonly resource?: OperationResource;
  /** An update that does something else if it is repeated. */
  readonly repeatsDiffer?: true;
  /** A person who can be asked confirms it first; `run` decides whether. */
  readonly asksConfirmation?: true;
  /** Asks a person, if they can be asked, for what the answer lacks. */
  readonly followUp?: FollowUp;
}

/** How the live page uses the operation. */
interface PageDefinition<O extends z.ZodTypeAny> {
  /**
   * Set for a tool that is listed only to clients that render the page as an MCP App. Models open
   * the page with an `app-entry`, which is composed of other operations and has no endpoint of its
   * own. An `app-only` tool is called by the page alone and hidden from models.
   */
  readonly audience?: 'app-entry' | 'app-only';
  /** Tells the page what it cannot do because a tool filter hides the operation for it. */
  withFilter?(body: z.output<O>, isOffered: (operation: AnyOperation) => boolean): z.output<O>;
}

/** How a service of many callers runs a read. */
interface LoadDefinition<I extends z.AnyZodObject, O extends z.ZodTypeAny> {
  /** True if a read of this input takes long and runs apart from short ones; default: never. */
  isLong?(input: z.output<I>, now: number): boolean;
  /**
   * The body depends on nothing about the caller but the scopes, so that callers with equal scopes
   * share the answer to a long read.
   */
  readonly isShared?: true;
  /**
   * Adds to the body of `run` what depends on the caller. Not called for an operation that is
   * composed from the answers of a remote service.
   */
  forCaller?(body: z.output<O>, asking: AskingCaller): Promise<z.output<O>>;
}

/** The declarations of an operation, apart from how it runs. */
interface OperationDefinition<I extends z.AnyZodObject, O extends z.ZodTypeAny, Checked = unknown> {
  /** In snake_case, of at most 32 characters. */
  readonly name: string;
  /** People see it in lists of tools. */
  readonly title: string;
  /** Tells the model what it does, when to use it and when not. 40 to 1,000 characters. */
  readonly description: string;
  /** Options of the command offer or hide a toolset as a whole. */
  readonly toolset: Toolset;
  readonly endpoint: Endpoint;
  /** The scope that the key of the caller must have. */
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
  readonly load?: LoadDefinition<I, O>;

  /** In an empty store, a write first creates the company. */
  readonly worksWithoutCompany?: true;
  /** Alerts are evaluated after the call. */
  readonly storesReadings?: true;
  /**
   * The answer is shown once and not stored for its idempotency key, so that a repeated call makes a
   * new secret.
   */
  readonly answerIsSecret?: true;

  /**
   * Throws for arguments that are invalid together, before names are looked up or rows are read.
   * What it returns is passed to `run`, so that nothing is checked twice.
   */
  check?(input: z.output<I>, context: CheckContext): Checked;
  /** One or two sentences that a voice assistant can read aloud. */
  summary?(
    output: z.output<O>,
    context: SummaryContext,
    input: z.output<I>,
    advisories: readonly Advisory[],
  ): Text | Promise<Text>;
  /** Advisories that the summary itself expresses; the others are appended to it. */
  readonly advisoriesInSummary?: readonly Advisory['kind'][];
  /** Names of fields that hold texts of the program: the summary has them whole, without quotes. */
  readonly sentencesInBody?: readonly string[];
  /** The body that is returned for `detail: "concise"`. The summary is written from the whole. */
  concise?(body: z.output<O>, context: SummaryContext): object;
  render?(output: z.output<O>, context: PersonContext): Promise<Picture>;
}

interface StoreOperation<I extends z.AnyZodObject, O extends z.ZodTypeAny, Checked = Any>
  extends OperationDefinition<I, O, Checked> {
  readonly batch?: undefined;
  /**
   * The work that must be complete before the use case reads or writes rows of this input. The
   * runner checks it in the transaction of the use case. Default: none.
   */
  pendingWork?(input: z.output<I>): readonly PendingWork[];
  run(call: Call, input: z.output<I>, checked: Checked): Promise<z.input<O>>;
  /** See FactOperation. */
  readonly facts?: FactAnswer<Any, z.input<O>> | undefined;
}

/** Answers from facts, so that it also runs against a remote service. */
export interface FactOperation extends StoreOperation<z.AnyZodObject, AnyBody> {
  readonly facts: FactAnswer<Any, unknown>;
}

export interface FactAnswer<Input, Body> {
  /** The kinds of facts that it reads. */
  readonly reads: readonly (keyof FactSource)[];
  answer(call: ComposedCall, input: Input, facts: FactSource): Promise<Body>;
}

/** Takes batches of any size and stores them in several transactions. */
interface BatchOperation<I extends z.AnyZodObject, O extends z.ZodTypeAny>
  extends OperationDefinition<I, O> {
  readonly facts?: undefined;
  readonly batch: {
    /**
     * The argument that receives a CSV body; the other arguments are in the query then. Null if
     * bodies are JSON of the usual size.
     */
    readonly csv: string | null;
  };
  /** False for data from devices, which the list of changes leaves out. */
  isListedChange?(body: z.output<O>): boolean;
  run(call: StagedCall, input: z.output<I>): Promise<LastStage<z.input<O>>>;
}

type AnyBody = z.ZodType<Any, z.ZodTypeDef, Any>;

/** Runs in one transaction. */
export type CallOperation = StoreOperation<z.AnyZodObject, AnyBody>;

type AnyBatchOperation = BatchOperation<z.AnyZodObject, AnyBody>;

export type AnyOperation = CallOperation | AnyBatchOperation;

/** Keeps the literal name in the type of an operation, so that callers can find its types by it. */
interface Named<Name extends string> {
  readonly name: Name;
}

export const operation = <
  const Name extends string,
  I extends z.AnyZodObject,
  O extends z.ZodTypeAny,
  Checked,
>(
  definition: StoreOperation<I, O, Checked> & Named<Name>,
): StoreOperation<I, O, Checked> & Named<Name> => definition;

export const batchOperation = <
  const Name extends string,
  I extends z.AnyZodObject,
  O extends z.ZodTypeAny,
>(
  definition: BatchOperation<I, O> & Named<Name>,
): BatchOperation<I, O> & Named<Name> => definition;
