import { Client, type ElicitResult, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { newBaseFarm, WATERING } from '../../base-farm.ts';
import { afterTest } from '../../cleanup.ts';
import { bodyOf, firstText, refusalOf, serverArguments } from '../mcp-session.ts';
import { BINARY, CLOCK, cleanEnv, type Json } from '../program.ts';
import { createTestKey, serveStoreForTest } from '../rest-service.ts';
import { mcpUrl } from './http/mcp-http-client.ts';
import { AMBIGUOUS, farmWithoutFlow, ON_NORTH_2 } from './http/question-rounds.ts';

const overStdio = (args: readonly string[], env: Record<string, string> = {}): Transport =>
  new StdioClientTransport({
    ...{ command: process.execPath, args: [BINARY, ...args, '--clock', CLOCK], stderr: 'ignore' },
    env: { ...cleanEnv, ...env },
  });

const transports: Record<string, (db: string) => Promise<Transport>> = {
  'standard input and output': async (db) => overStdio(['--db', db, '--lang', 'en']),
  async HTTP(db) {
    const { key } = await createTestKey(db, '--surface', 'mcp');
    const { base } = await serveStoreForTest(db, '--clock', CLOCK, '--lang', 'en');
    return new StreamableHTTPClientTransport(mcpUrl(base), { requestInit: { headers: { 'x-api-key': key } } });
  },
  async 'a remote service'(db) {
    const { key } = await createTestKey(db, '--surface', 'mcp');
    const { base } = await serveStoreForTest(db, '--clock', CLOCK);
    return overStdio(['--remote', base, '--lang', 'en'], { ACEQUIA_API_KEY: key });
  },
};

const accept = (content: Record<string, string | number | boolean>): ElicitResult => ({ action: 'accept', content });

/** Null: the client has no forms. */
async function connect(transport: Transport, answers: readonly ElicitResult[] | null) {
  const capabilities = answers === null ? {} : { elicitation: { form: {} } };
  const negotiation = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;
  const client = new Client({ name: 'acceptance', version: '1' }, { capabilities, ...negotiation });
  const questions: Json[] = [];
  if (answers !== null)
    client.setRequestHandler('elicitation/create', ({ params }) => {
      questions.push(params);
      return answers[questions.length - 1] ?? { action: 'cancel' };
    });
  await client.connect(transport);
  afterTest(() => client.close());
  await client.listTools();
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<Json> =>
    client.callTool({ name, arguments: args });
  return { call, questions };
}

describe.each(Object.keys(transports))('over %s', (name) => {
  const connectTo = async (db: string, answers: readonly ElicitResult[] | null) =>
    connect(await transports[name]!(db), answers);

  it('a person chooses the probe, then gives the flow rate, in one call', async () => {
    const db = await farmWithoutFlow();
    const answers = [accept({ module: 'North 2 (#2)' }), accept({ flowMmPerH: 4 })];
    const { call, questions } = await connectTo(db, answers);
    const args = { ...AMBIGUOUS, detail: 'full', idempotencyKey: 'k' };
    const result = await call('log_watering', args);
    // 45 min at 4 mm/h.
    expect(bodyOf(result).event).toMatchObject({ moduleId: 2, waterMm: 3 });
    expect(firstText(result)).toMatch(/3 mm over the whole area.*The person gave the flow rate/);
    expect(questions.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^"North" can mean/),
      expect.stringMatching(/^The watering on North 2 is recorded[.]/),
    ]);
    expect(bodyOf(await call('list_waterings')).data).toHaveLength(1);
    const repeated = await call('log_watering', args);
    expect([bodyOf(repeated).event.id, repeated._meta['acequia/replayed']]).toEqual([bodyOf(result).event.id, true]);
    expect(questions).toHaveLength(2);
  });

  it('what stays unanswered stays as it is for other clients', async () => {
    const { call, questions } = await connectTo(await farmWithoutFlow(), [{ action: 'decline' }, accept({})]);
    expect(refusalOf(await call('log_watering', AMBIGUOUS)).code).toBe('AMBIGUOUS_NAME');
    const { event, warnings } = bodyOf(await call('log_watering', ON_NORTH_2));
    expect([event.waterMm, warnings]).toEqual([null, ['MISSING_FLOW_RATE']]);
    expect(questions).toHaveLength(2);
    expect(bodyOf(await call('list_waterings')).data).toHaveLength(1);
  });

  it('a client without forms is asked nothing', async () => {
    const { call } = await connectTo(await farmWithoutFlow(), null);
    expect(refusalOf(await call('log_watering', AMBIGUOUS)).code).toBe('AMBIGUOUS_NAME');
    expect(bodyOf(await call('log_watering', ON_NORTH_2)).event.waterMm).toBeNull();
  });

  it('two equal waterings without a key are two', async () => {
    const { call, questions } = await connectTo(await farmWithoutFlow(), []);
    const first = bodyOf(await call('log_watering', ON_NORTH_2));
    const second = bodyOf(await call('log_watering', ON_NORTH_2));
    expect(second.event.id).not.toBe(first.event.id);
    expect(questions).toHaveLength(2);
  });

  it('a drawing is deleted once the person confirms it', async () => {
    const { call, questions } = await connectTo(await newBaseFarm(), [
      { action: 'decline' },
      accept({ confirm: 'true' }),
    ]);
    const line = { module: 'North 1', type: 'h-line', value: 18, style: { fill: 'threshold2' } };
    const { id: annotationId } = bodyOf(await call('create_annotation', line));
    expect(refusalOf(await call('delete_annotation', { annotationId }))).toMatchObject({
      code: 'NOT_CONFIRMED',
      message: 'The person was asked and did not confirm this, so nothing was changed.',
    });
    expect(bodyOf(await call('list_annotations', { module: 'North 1' })).data).toHaveLength(1);
    expect(bodyOf(await call('delete_annotation', { annotationId })).success).toBe(true);
    expect(bodyOf(await call('list_annotations', { module: 'North 1' })).data).toEqual([]);
    expect(questions[1].message).toMatch(/^Delete this from the moisture curve of North 1: .* at 18 %/);
  });

  it('the write of another caller is undone once the person confirms it, and an own one at once', async () => {
    const db = await newBaseFarm();
    const { key } = await createTestKey(db);
    const env = { ACEQUIA_API_KEY: key };
    const other = await connect(overStdio(serverArguments(db, { clock: null }), env), null);
    const { changeId } = bodyOf(await other.call('log_watering', WATERING));
    const { call, questions } = await connectTo(db, [accept({ confirm: false }), accept({ confirm: true })]);
    expect(refusalOf(await call('undo', { changeId })).code).toBe('NOT_CONFIRMED');
    expect(bodyOf(await call('list_waterings')).data).toHaveLength(1);
    bodyOf(await call('undo', { changeId }));
    expect(bodyOf(await call('list_waterings')).data).toEqual([]);
    bodyOf(await call('log_watering', WATERING));
    bodyOf(await call('undo'));
    expect(questions).toHaveLength(2);
  });
});
