import {
  Client,
  type ElicitResult,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, expect, it } from 'vitest';
import { baseFarmForFile, WATERING } from '../../base-farm.ts';
import { afterFile } from '../../cleanup.ts';
import { bodyOf, firstText, type McpSession, refusalOf } from '../mcp-session.ts';
import { BINARY, CLOCK, cleanEnv, type Json } from '../program.ts';
import { type RestService, serveStoreForFile } from '../rest-service.ts';
import { connectOverHttp, mcpUrl } from './http/mcp-http-client.ts';
import { newBlock } from './own-block.ts';

let service: RestService;
let key: string;
/** Of another caller. */
let other: McpSession;

/** The service of a file, to which all transports lead. */
export const serveQuestions = () =>
  beforeAll(async () => {
    service = await serveStoreForFile(await baseFarmForFile(), '--clock', CLOCK);
    key = await service.newKey('--surface', 'mcp');
    other = await connectOverHttp(
      mcpUrl(service.base),
      { 'x-api-key': await service.newKey() },
      afterFile,
    );
  });

const overStdio = (args: readonly string[], env: Record<string, string> = {}): Transport =>
  new StdioClientTransport({
    command: process.execPath,
    args: [BINARY, ...args, '--clock', CLOCK, '--lang', 'en'],
    stderr: 'ignore',
    env: { ...cleanEnv, ...env },
  });

const overHttp = (): Transport =>
  new StreamableHTTPClientTransport(mcpUrl(service.base), {
    requestInit: { headers: { 'x-api-key': key } },
  });

const ENGLISH = {
  canMean: 'can mean',
  recorded: 'is recorded.',
  delete: 'Delete this from the moisture curve',
};
const FRENCH = {
  canMean: 'peut désigner',
  recorded: 'est noté.',
  delete: 'Supprimer ce tracé sur la courbe',
};

/** The service asks in the language of the country of the farm. */
export const QUESTION_TRANSPORTS = [
  ['standard input and output', () => overStdio(['--db', service.db]), ENGLISH],
  ['HTTP', overHttp, FRENCH],
  [
    'a remote service',
    () => overStdio(['--remote', service.base], { ACEQUIA_API_KEY: key }),
    ENGLISH,
  ],
] as const;

const accept = (content: Record<string, string | number | boolean>): ElicitResult => ({
  action: 'accept',
  content,
});

interface Connection {
  readonly call: (name: string, args?: Record<string, unknown>) => Promise<Json>;
  /** To the next questions, which are added to the returned list. */
  answerWith(...answers: readonly ElicitResult[]): Json[];
}

async function connect(
  transport: Transport,
  { hasForms }: { readonly hasForms: boolean },
): Promise<Connection> {
  const capabilities = hasForms ? { elicitation: { form: {} } } : {};
  const negotiation = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;
  const client = new Client({ name: 'acceptance', version: '1' }, { capabilities, ...negotiation });
  let [answers, questions]: [readonly ElicitResult[], Json[]] = [[], []];
  if (hasForms)
    client.setRequestHandler('elicitation/create', ({ params }) => {
      questions.push(params);
      return answers[questions.length - 1] ?? { action: 'cancel' };
    });
  await client.connect(transport);
  afterFile(() => client.close());
  await client.listTools();
  return {
    call: async (name, args = {}) => client.callTool({ name, arguments: args }),
    answerWith(...given) {
      [answers, questions] = [given, []];
      return questions;
    },
  };
}

type QuestionTransport = (typeof QUESTION_TRANSPORTS)[number];

function connected(open: () => Transport) {
  let connection: Connection;
  beforeAll(async () => {
    connection = await connect(open(), { hasForms: true });
  });
  const call: Connection['call'] = (...args) => connection.call(...args);
  return {
    call,
    answerWith: ((...answers) => connection.answerWith(...answers)) as Connection['answerWith'],
    wateringsOf: async (module: string): Promise<Json[]> =>
      bodyOf(await call('list_waterings', { module })).data,
  };
}

export function itAsksTwice([name, open, words]: QuestionTransport): void {
  const { call, answerWith, wateringsOf } = connected(open);

  it('a person chooses the probe, then gives the flow rate, in one call', async () => {
    const { ambiguous, ids, labels, probes } = await newBlock(call);
    const questions = answerWith(accept({ module: labels[1] }), accept({ flowMmPerH: 4 }));
    const args = { ...ambiguous, detail: 'full', idempotencyKey: `${name} ${ambiguous.module}` };
    const result = await call('log_watering', args);
    // 45 min at 4 mm/h.
    expect(bodyOf(result).event).toMatchObject({ moduleId: ids[1], waterMm: 3 });
    expect(firstText(result)).toMatch(
      /3 mm over the whole area.*The person gave the application rate/,
    );
    expect(questions.map(({ message }) => message)).toEqual([
      expect.stringContaining(`"${ambiguous.module}" ${words.canMean}`),
      expect.stringContaining(`${probes[1]} ${words.recorded}`),
    ]);
    // As people say its name.
    expect(await wateringsOf(`the ${ambiguous.module} two`)).toHaveLength(1);
    const repeated = await call('log_watering', args);
    expect([bodyOf(repeated).event.id, repeated._meta['acequia/replayed']]).toEqual([
      bodyOf(result).event.id,
      true,
    ]);
    expect(questions).toHaveLength(2);
  });
}

export function itAsksBeforeItWrites([_, open, words]: QuestionTransport): void {
  const { call, answerWith, wateringsOf } = connected(open);

  it('a declined question is answered as declined, and two equal waterings are two', async () => {
    const { ambiguous, watering, probes } = await newBlock(call);
    const questions = answerWith({ action: 'decline' }, accept({}));
    expect(refusalOf(await call('log_watering', ambiguous)).code).toBe('NOT_CONFIRMED');
    for (let count = 1; count <= 2; count++) {
      const { event, warnings } = bodyOf(await call('log_watering', watering));
      expect([event.waterMm, warnings]).toEqual([null, ['MISSING_FLOW_RATE']]);
      expect(await wateringsOf(probes[1])).toHaveLength(count);
    }
    expect(questions).toHaveLength(3);
  });

  it('a drawing is deleted once the person confirms it', async () => {
    const { probes } = await newBlock(call);
    const questions = answerWith({ action: 'decline' }, accept({ confirm: 'true' }));
    const module = probes[0];
    const line = { module, type: 'h-line', value: 18, style: { fill: 'threshold2' } };
    const { id: annotationId } = bodyOf(await call('create_annotation', line));
    expect(refusalOf(await call('delete_annotation', { annotationId }))).toMatchObject({
      code: 'NOT_CONFIRMED',
      message: 'The person was asked and did not confirm this, so nothing was changed.',
    });
    expect(bodyOf(await call('list_annotations', { module })).data).toHaveLength(1);
    expect(bodyOf(await call('delete_annotation', { annotationId })).success).toBe(true);
    expect(bodyOf(await call('list_annotations', { module })).data).toEqual([]);
    expect(questions[1].message).toContain(words.delete);
    expect(questions[1].message).toMatch(/18 %/);
  });

  it('the write of another caller is undone once the person confirms it, and an own one at once', async () => {
    const { probes } = await newBlock(call);
    const watering = { ...WATERING, module: probes[0] };
    const { changeId } = bodyOf(await other.call('log_watering', watering));
    const questions = answerWith(accept({ confirm: false }), accept({ confirm: true }));
    expect(refusalOf(await call('undo', { changeId })).code).toBe('NOT_CONFIRMED');
    expect(await wateringsOf(probes[0])).toHaveLength(1);
    bodyOf(await call('undo', { changeId }));
    expect(await wateringsOf(probes[0])).toEqual([]);
    bodyOf(await call('log_watering', watering));
    bodyOf(await call('undo'));
    expect(questions).toHaveLength(2);
  });
}

export function itAsksNobodyWithoutForms(): void {
  it('a client without forms is asked nothing', async () => {
    const { call } = await connect(overHttp(), { hasForms: false });
    const { ambiguous, watering } = await newBlock(call);
    expect(refusalOf(await call('log_watering', ambiguous)).code).toBe('AMBIGUOUS_NAME');
    expect(bodyOf(await call('log_watering', watering)).event.waterMm).toBeNull();
  });
}
