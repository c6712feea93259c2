import { randomUUID } from 'node:crypto';
import type { CallToolResult, CompleteResult, ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { operationsByName } from '../../tools/index.ts';
import type { Lang } from '../domain/lang.ts';
import { localPerformer } from '../operation/local-performer.ts';
import { folded } from '../operation/names.ts';
import { type AnyOperation, structuredBody } from '../operation/operation.ts';
import type { Performed, Performer } from '../operation/performer.ts';
import { nulIn, wellFormed } from '../operation/stored-text.ts';
import { argumentsObject, understandTool } from '../operation/tool-arguments.ts';
import { AcequiaError, refuse } from '../schema/error.ts';
import { firingFingerprint } from '../service/firing.ts';
import { tick } from '../service/housekeeping.ts';
import type { MailTransport } from '../service/outbox.ts';
import { postmanOf } from '../service/postman.ts';
import { openStore } from '../store/store.ts';
import { resourceAsked, resourceBody } from './read-resource.ts';

/** What takes the operations and the store. */
export interface Answers {
  callTool(name: string, sent: unknown): Promise<CallToolResult>;
  readResource(uri: string): Promise<ReadResourceResult>;
  complete(argument: string, begun: string): Promise<CompleteResult>;
  /** Housekeeping, once, after which mail that is due is sent beside all else; both end early when `signal` does. */
  keep(signal: AbortSignal): Promise<void>;
  /** A text that differs when other alerts are firing; null where there is no store to tell. */
  firing(): Promise<string | null>;
  close(): Promise<void>;
}

export interface AnswerOptions {
  readonly file: string;
  readonly clock: () => number;
  readonly lang: Lang;
  /** Language of mail where one was chosen; else each company's own. */
  readonly mailLang?: Lang | undefined;
  /** The way to the mail server, asked for when there is something to send; mail waits without it. */
  readonly openTransport?: (() => Promise<MailTransport>) | undefined;
  /** Logs what went wrong inside, and gives the reference that the client is told. */
  readonly report: (error: unknown) => Promise<string>;
}

/** Answers from the store in a file. */
export async function openAnswers(options: AnswerOptions): Promise<Answers> {
  const { file, clock, lang, mailLang, openTransport, report } = options;
  const store = await openStore({ file });
  const performer = localPerformer({ store, operations: operationsByName, clock, lang, source: 'mcp' });
  const holder = randomUUID();
  const postman = openTransport && postmanOf({ store, openTransport, holder }, report);
  const keep = async (signal: AbortSignal): Promise<void> => {
    await tick(store, { now: clock(), holder, signal, lang: mailLang });
    postman?.start(signal);
  };
  return {
    ...answersBy(performer, report, keep, () => firingFingerprint(store)),
    async close() {
      await postman?.ended();
      await performer.close();
    },
  };
}

export function answersBy(
  performer: Performer,
  report: AnswerOptions['report'],
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
        const { code, status, message, hint } = await told(error, report);
        throw new McpError(
          status === 404 ? -32002 : ErrorCode.InvalidParams,
          `${code}: ${message} ${hint ?? ''}`.trim(),
          { code, hint },
        );
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
    keep,
    firing,
    close: () => performer.close(),
  };
}

/** Answers every call with why the store could not be opened; a later call opens anew. */
export function answersWithoutStore(reason: unknown, report: AnswerOptions['report']): Answers {
  const refusing: Performer = {
    lang: 'en',
    perform: () => Promise.reject(reason),
    directory: () => Promise.reject(reason),
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

/** The error a client is told: ours as it is, any other as INTERNAL with the reference it was logged under. */
async function told(error: unknown, report: AnswerOptions['report']): Promise<AcequiaError> {
  if (error instanceof AcequiaError) return error;
  const reference = await report(error);
  return new AcequiaError({
    code: 'INTERNAL',
    status: 500,
    message: `Something went wrong inside (reference ${reference}).`,
    hint: 'Nothing was written by this call. Try it again; if it stays, look the reference up in the log.',
  });
}

/** Names that can stand for an argument. */
async function namesFor(performer: Performer, argument: string): Promise<string[]> {
  if (argument === 'lang') return ['en', 'fr'];
  const directory = await performer.directory();
  if (argument === 'module') return (await directory.modules()).map(({ name, id }) => name ?? `#${id}`);
  if (argument === 'parcel') return (await directory.parcels()).map(({ name }) => name);
  return [];
}
