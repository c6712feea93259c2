import type { CallToolResult, CompleteResult, ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { toolsByName } from '../../tools/index.ts';
import type { Observer } from '../observe/observer.ts';
import type { Incoming } from '../observe/request-id.ts';
import type { Trail } from '../observe/trail.ts';
import { localPerformer } from '../operation/local-performer.ts';
import { folded } from '../operation/names.ts';
import type { AnyOperation } from '../operation/operation.ts';
import type { Ask, Performed, Performer } from '../operation/performer.ts';
import { type Reach, withinReach } from '../operation/reach.ts';
import { authorize } from '../operation/scope.ts';
import { nulIn, wellFormed } from '../operation/stored-text.ts';
import { type Report, told } from '../operation/told.ts';
import { argumentsObject, understandTool } from '../operation/tool-arguments.ts';
import { AcequiaError, refuse } from '../schema/error.ts';
import { identifyByKey } from '../service/api-keys.ts';
import { firingFingerprint } from '../service/firing.ts';
import { type KeepingOptions, keepingOf } from '../service/keeping.ts';
import { keyUses } from '../service/key-uses.ts';
import { refuseCancelled } from '../store/attentive.ts';
import { openStore } from '../store/store.ts';
import { withFlowAsked } from './asked-flow.ts';
import { withNamesChosen } from './asked-name.ts';
import type { AskPerson } from './elicitation.ts';
import { resourceAsked, resourceBody } from './read-resource.ts';
import { toolError, toolResult } from './tool-result.ts';

/** What a call that lasts is told, and can tell and ask meanwhile. */
export interface During extends Pick<Ask, 'signal' | 'onStep' | 'trail'> {
  readonly ask?: AskPerson | undefined;
  /** What the client gave to follow the call by. */
  readonly incoming?: Incoming | undefined;
}

/** What takes the operations and the store. */
export interface Answers {
  /** Throws where `signal` was aborted: nobody waits for the answer. */
  callTool(name: string, sent: unknown, during?: During): Promise<CallToolResult>;
  readResource(uri: string, trail?: Trail): Promise<ReadResourceResult>;
  complete(argument: string, begun: string, trail?: Trail): Promise<CompleteResult>;
  /** Names of the operations that may be listed; null where nothing narrows them. */
  offered(): Promise<ReadonlySet<string> | null>;
  /** Housekeeping, once, after which mail that is due is sent beside all else; both end early when `signal` does. */
  keep(signal: AbortSignal): Promise<void>;
  /** A text that differs when other alerts are firing; null where there is no store to tell. Who may not list them is refused. */
  firing(): Promise<string | null>;
  close(): Promise<void>;
}

export interface AnswerOptions extends Pick<KeepingOptions, 'lang' | 'openTransport'> {
  /** Where the store is. */
  readonly db: string;
  readonly clock: () => number;
  /** Decides who asks; null for the OWNER of the store's only company. */
  readonly apiKey: string | null;
  readonly reach: Reach;
  readonly report: Report;
  readonly observer: Observer;
}

/** Answers from the store at a place. */
export async function openAnswers(options: AnswerOptions): Promise<Answers> {
  const { db, clock, lang, openTransport, apiKey, reach, report, observer } = options;
  const store = await openStore({ db });
  const uses = keyUses(store, clock, report);
  const performer = localPerformer({
    store,
    operations: toolsByName,
    clock,
    lang,
    source: 'mcp',
    report,
    ...(apiKey !== null && { identify: identifyByKey(apiKey, clock, uses.note) }),
  });
  const keeping = keepingOf({ store, clock, lang, openTransport, report, observer });
  const close = async () => {
    await keeping.ended();
    await uses.close();
    await performer.close();
  };
  const firing = async () => {
    const { caller, company } = await performer.identity();
    authorize(caller, toolsByName.get('list_alerts')!);
    return firingFingerprint(store, company.id);
  };
  return answersBy(withinReach({ ...performer, close }, reach), report, keeping.keep, firing);
}

/** Answers by a performer, here or elsewhere. */
export function answersBy(
  performer: Performer,
  report: Report,
  keep: Answers['keep'] = async () => undefined,
  firing: Answers['firing'] = async () => null,
): Answers {
  const perform = async (described: AnyOperation, sent: unknown, during: During = {}): Promise<Performed> => {
    const { ask, incoming: _, ...heard } = during;
    const given = argumentsObject(sent);
    const { idempotencyKey, ...rest } = given;
    return withNamesChosen(given, performer, ask, (meant) =>
      performer.perform(described, {
        // A key is bound to what was sent: the same call, sent again, is answered without being asked again.
        given: rest,
        idempotencyKey: keyOf(idempotencyKey),
        ...heard,
        understand: (context) => understandTool(described, meant, context),
      }),
    );
  };

  const performCall = async (described: AnyOperation, sent: unknown, during: During): Promise<Performed> => {
    const performed = await perform(described, sent, during);
    if (described.name !== 'log_watering' || !during.ask) return performed;
    const { trail } = during;
    const other = (name: string, given: unknown) => perform(toolsByName.get(name)!, given, { trail });
    return withFlowAsked(performed, performer, during.ask, other);
  };

  return {
    async callTool(name, sent, during = {}) {
      try {
        const described = toolsByName.get(name)!;
        return toolResult(described, await performCall(described, sent, during));
      } catch (error) {
        refuseCancelled(during.signal);
        return toolError(await told(error, report, during.trail?.requestId));
      }
    },
    async readResource(uri, trail) {
      const asked = resourceAsked(uri);
      try {
        const body = await resourceBody(asked, (described, sent) => perform(described, sent, { trail }));
        return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(body) }] };
      } catch (error) {
        throw asMcpError(await told(error, report, trail?.requestId));
      }
    },
    async complete(argument, begun, trail) {
      const names = await namesFor(performer, argument, trail).catch(async (error) => {
        await told(error, report, trail?.requestId);
        return [];
      });
      const wanted = folded(begun);
      const matching = names.filter((name) => folded(name).includes(wanted));
      const first = matching.sort(
        (a, b) => Number(folded(b).startsWith(wanted)) - Number(folded(a).startsWith(wanted)),
      );
      return { completion: { values: first.slice(0, 100), total: first.length, hasMore: first.length > 100 } };
    },
    async offered() {
      return performer.offered(toolsByName.values()).catch(async (error) => {
        // Who may do nothing is told why by each call.
        await told(error, report);
        return null;
      });
    },
    keep,
    firing: () =>
      firing().catch((error) => {
        throw error instanceof AcequiaError ? asMcpError(error) : error;
      }),
    close: () => performer.close(),
  };
}

/** Answers every call with why the store could not be opened; a later call opens anew. */
export function answersWithoutStore(reason: unknown, report: Report): Answers {
  const refusing: Performer = {
    perform: () => Promise.reject(reason),
    lang: () => Promise.reject(reason),
    directory: () => Promise.reject(reason),
    offered: () => Promise.resolve(null),
    close: async () => undefined,
  };
  return answersBy(refusing, report);
}

function keyOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const key = typeof value === 'number' ? String(value) : value;
  if (typeof key === 'string' && key.length >= 1 && key.length <= 255 && nulIn(key) === null) return wellFormed(key);
  throw refuse('invalid_body', 'idempotencyKey is not a text of 1 to 255 characters.', {
    hint: 'Pass any short text that is new for this entry, or leave it out.',
    field: 'idempotencyKey',
  });
}

/** An error where a request has no result to carry it. */
function asMcpError({ code, status, message, hint }: AcequiaError): McpError {
  const text = `${code}: ${message} ${hint ?? ''}`.trim();
  return new McpError(status === 404 ? -32002 : ErrorCode.InvalidParams, text, { code, status, hint });
}

/** Names that can stand for an argument. */
async function namesFor(performer: Performer, argument: string, trail: Trail | undefined): Promise<string[]> {
  if (argument === 'lang') return ['en', 'fr'];
  const directory = await performer.directory(trail);
  if (argument === 'module') return (await directory.modules()).map(({ name, id }) => name ?? `#${id}`);
  if (argument === 'parcel') return (await directory.parcels()).map(({ name }) => name);
  return [];
}
