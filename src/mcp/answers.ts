import type { CallToolResult, CompleteResult, ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { operationsByName } from '../../tools/index.ts';
import type { Lang } from '../domain/lang.ts';
import { localPerformer } from '../operation/local-performer.ts';
import { folded } from '../operation/names.ts';
import { type AnyOperation, structuredBody } from '../operation/operation.ts';
import type { Performed, Performer } from '../operation/performer.ts';
import { authorize } from '../operation/scope.ts';
import { nulIn, wellFormed } from '../operation/stored-text.ts';
import { type Report, told } from '../operation/told.ts';
import { argumentsObject, understandTool } from '../operation/tool-arguments.ts';
import { AcequiaError, refuse } from '../schema/error.ts';
import { identifyByKey } from '../service/api-keys.ts';
import { firingFingerprint } from '../service/firing.ts';
import { type KeepingOptions, keepingOf } from '../service/keeping.ts';
import { keyUses } from '../service/key-uses.ts';
import { openStore } from '../store/store.ts';
import { resourceAsked, resourceBody } from './read-resource.ts';

/** What takes the operations and the store. */
export interface Answers {
  callTool(name: string, sent: unknown): Promise<CallToolResult>;
  readResource(uri: string): Promise<ReadResourceResult>;
  complete(argument: string, begun: string): Promise<CompleteResult>;
  /** Names of the operations that may be listed; null where nothing narrows them. */
  offered(): Promise<ReadonlySet<string> | null>;
  /** Housekeeping, once, after which mail that is due is sent beside all else; both end early when `signal` does. */
  keep(signal: AbortSignal): Promise<void>;
  /** A text that differs when other alerts are firing; null where there is no store to tell. Who may not list them is refused. */
  firing(): Promise<string | null>;
  close(): Promise<void>;
}

export interface AnswerOptions extends Pick<KeepingOptions, 'mailLang' | 'openTransport'> {
  readonly file: string;
  readonly clock: () => number;
  readonly lang: Lang;
  /** Decides who asks; null for the OWNER of the store's only company. */
  readonly apiKey: string | null;
  readonly report: Report;
}

/** Answers from the store in a file. */
export async function openAnswers(options: AnswerOptions): Promise<Answers> {
  const { file, clock, lang, mailLang, openTransport, apiKey, report } = options;
  const store = await openStore({ file });
  const uses = keyUses(store, clock, report);
  const performer = localPerformer({
    store,
    operations: operationsByName,
    clock,
    lang,
    source: 'mcp',
    report,
    ...(apiKey !== null && { identify: identifyByKey(apiKey, clock, uses.note) }),
  });
  const keeping = keepingOf({ store, clock, mailLang, openTransport, report });
  const close = async () => {
    await keeping.ended();
    await uses.close();
    await performer.close();
  };
  const firing = async () => {
    const { caller, company } = await performer.identity();
    authorize(caller, operationsByName.get('list_alerts')!);
    return firingFingerprint(store, company.id);
  };
  return answersBy({ ...performer, close }, report, keeping.keep, firing);
}

/** Answers by a performer, here or elsewhere. */
export function answersBy(
  performer: Performer,
  report: Report,
  keep: Answers['keep'] = async () => undefined,
  firing: Answers['firing'] = async () => null,
): Answers {
  const perform = async (described: AnyOperation, sent: unknown): Promise<Performed> => {
    const given = argumentsObject(sent);
    const { idempotencyKey, ...rest } = given;
    return performer.perform(described, {
      given: rest,
      idempotencyKey: keyOf(idempotencyKey),
      understand: (context) => understandTool(described, given, context),
    });
  };

  return {
    async callTool(name, sent) {
      try {
        const described = operationsByName.get(name)!;
        return toolResult(described, await perform(described, sent));
      } catch (error) {
        return toolError(await told(error, report));
      }
    },
    async readResource(uri) {
      const asked = resourceAsked(uri);
      try {
        const body = await resourceBody(asked, perform);
        return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(body) }] };
      } catch (error) {
        throw asMcpError(await told(error, report));
      }
    },
    async complete(argument, begun) {
      const names = await namesFor(performer, argument).catch(async (error) => {
        await told(error, report);
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
      return performer.offered(operationsByName.values()).catch(async (error) => {
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
    lang: 'en',
    perform: () => Promise.reject(reason),
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

/** Both renderings are complete on their own, since clients show the model only one of them. */
function toolResult(described: AnyOperation, { body, summary, replayed }: Performed): CallToolResult {
  const structuredContent = { summary, ...structuredBody(described, body) };
  return {
    content: [
      { type: 'text', text: summary },
      { type: 'text', text: JSON.stringify(structuredContent) },
    ],
    structuredContent,
    ...(replayed && { _meta: { 'acequia/replayed': true } }),
  };
}

function toolError(error: AcequiaError): CallToolResult {
  const text = `${error.code}: ${error.message}${error.hint ? ` ${error.hint}` : ''}`;
  return { isError: true, content: [{ type: 'text', text }], _meta: { 'acequia/error': error.toJSON() } };
}

/** An error where a request has no result to carry it. */
function asMcpError({ code, status, message, hint }: AcequiaError): McpError {
  const text = `${code}: ${message} ${hint ?? ''}`.trim();
  return new McpError(status === 404 ? -32002 : ErrorCode.InvalidParams, text, { code, status, hint });
}

/** Names that can stand for an argument. */
async function namesFor(performer: Performer, argument: string): Promise<string[]> {
  if (argument === 'lang') return ['en', 'fr'];
  const directory = await performer.directory();
  if (argument === 'module') return (await directory.modules()).map(({ name, id }) => name ?? `#${id}`);
  if (argument === 'parcel') return (await directory.parcels()).map(({ name }) => name);
  return [];
}
