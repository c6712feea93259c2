import { once } from 'node:events';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type CallToolResult, ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it } from 'vitest';
import { importBaseFarm, newBaseFarm } from '../../base-farm.ts';
import { templateStore } from '../../stores/template-stores.ts';
import { copyOfStore } from '../../temporary-places.ts';
import { bodyOf, firstText, newMcpClient, refusalOf } from '../mcp-session.ts';
import { BINARY, CLOCK, type Json, runProgram } from '../program.ts';
import { initializeRaw, startRawServer } from '../raw-server.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const each of cleanups.splice(0).reverse()) await each();
});

/** A question as a client gets it. */
interface PutQuestion {
  readonly message: string;
  readonly requestedSchema: { properties: Record<string, Json>; required?: string[] };
}

interface AskingSession {
  readonly questions: PutQuestion[];
  call(name: string, args: Record<string, unknown>): Promise<CallToolResult>;
}

/** A client with forms, in which a person gives `answers` one after the other. */
async function connectAsking(
  db: string,
  answers: readonly ElicitResult[],
  ...options: string[]
): Promise<AskingSession> {
  const client = newMcpClient({ elicitation: {} });
  const questions: PutQuestion[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    questions.push(params as unknown as PutQuestion);
    return answers[questions.length - 1] ?? { action: 'cancel' };
  });
  const args = [BINARY, '--db', db, '--clock', CLOCK, '--lang', 'en', ...options];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  cleanups.push(() => client.close());
  return {
    questions,
    call: async (name, given) => (await client.callTool({ name, arguments: given })) as CallToolResult,
  };
}

const acceptWith = (content: Record<string, string | number>): ElicitResult => ({ action: 'accept', content });

const WATERING = { module: 'North', startedAt: 'today 6:00', inputMode: 'duration', durationMin: 45 };

describe('a name that can mean several', () => {
  it('is chosen by the person among the candidates, by name and id, and the call goes on', async () => {
    const { call, questions } = await connectAsking(await newBaseFarm(), [acceptWith({ module: 'North 2 (#2)' })]);
    const { event } = bodyOf(await call('log_watering', WATERING));
    // 45 min at the 6 mm/h of the parcel's sprinklers.
    expect([event.moduleId, event.waterMm]).toEqual([2, 4.5]);
    expect(questions).toHaveLength(1);
    expect(questions[0]!.message).toContain('"North"');
    expect(questions[0]!.requestedSchema).toMatchObject({
      properties: { module: { type: 'string', enum: ['North 1 (#1)', 'North 2 (#2)'] } },
      required: ['module'],
    });
  });

  it('is asked for in French where that is spoken', async () => {
    const { call, questions } = await connectAsking(await newBaseFarm(), [], '--lang', 'fr');
    refusalOf(await call('get_module', { module: 'North' }));
    expect(questions[0]!.message).toMatch(/^"North" peut désigner/);
  });

  it.each<[string, ElicitResult[]]>([
    ['is declined', [{ action: 'decline' }]],
    ['is cancelled', [{ action: 'cancel' }]],
    ['is answered with something else', [acceptWith({ module: 'North 3 (#3)' })]],
    ['is answered with nothing', [acceptWith({})]],
    ['is answered with a number', [acceptWith({ module: 1 })]],
  ])('is refused as without a form where the question %s', async (_, answers) => {
    const { call, questions } = await connectAsking(await newBaseFarm(), answers);
    expect(refusalOf(await call('log_watering', WATERING))).toMatchObject({
      code: 'AMBIGUOUS_NAME',
      hint: expect.stringContaining('#1'),
    });
    expect(questions).toHaveLength(1);
    expect(bodyOf(await call('list_waterings', {})).data).toEqual([]);
  });

  it('is not asked about again when the very same call comes again under its key', async () => {
    const { call, questions } = await connectAsking(await newBaseFarm(), [acceptWith({ module: 'North 2 (#2)' })]);
    const sent = { ...WATERING, idempotencyKey: 'k' };
    const first = bodyOf(await call('log_watering', sent));
    const again = await call('log_watering', sent);
    expect(bodyOf(again).event.id).toBe(first.event.id);
    expect(again._meta).toEqual({ 'acequia/replayed': true });
    expect(questions).toHaveLength(1);
  });
});

describe('a flow rate that is missing', () => {
  /** North 2 has equipment of its own that lacks it. */
  const withoutFlow = templateStore(async (db) => {
    await importBaseFarm(db);
    const equipment = ['module=North 2', 'system=drip', 'effectiveFrom=2026-06-01 00:00'];
    await runProgram('call', 'set_module_installation', ...equipment, '--db', db, '--clock', CLOCK);
  });
  const lacking = async (): Promise<string> => copyOfStore(await withoutFlow());
  const WATERED = { ...WATERING, module: 'North 2' };

  it('is asked for with its unit once the watering is in the book, entered there, and the dose is completed', async () => {
    const db = await lacking();
    const { call, questions } = await connectAsking(db, [acceptWith({ flowMmPerH: 4 })]);
    const answer = await call('log_watering', WATERED);
    const { event, warnings } = bodyOf(answer);
    // 45 min at 4 mm/h, and over the 0.35 of drip.
    expect([event.waterMm, event.waterMmWetted, event.configSnapshot.flowMmPerH]).toEqual([3, 8.571, 4]);
    expect(warnings).toEqual(['DEFAULT_FRACTION_WETTED']);
    expect(firstText(answer)).toMatch(/3 mm over the whole area.*The person gave the flow rate: 4 mm\/h/);
    expect(questions[0]!.message).toMatch(/North 2.*in the book.*mm of water per hour/);
    expect(questions[0]!.requestedSchema.properties.flowMmPerH).toMatchObject({ type: 'number' });
    expect(bodyOf(await call('list_waterings', {})).data).toEqual([event]);
    const { installation } = bodyOf(await call('get_irrigation_setup', { module: 'North 2' }));
    expect(installation).toMatchObject({ id: event.configSnapshot.installationId, flowMmPerH: 4 });
  });

  it('is said to be the whole parcel’s where it is', async () => {
    const db = await newBaseFarm();
    const { call } = await connectAsking(db, []);
    bodyOf(
      await call('set_parcel_installation', {
        parcel: 'North block',
        system: 'pivot',
        effectiveFrom: '2026-06-01 00:00',
      }),
    );
    const { call: log, questions } = await connectAsking(db, []);
    await log('log_watering', WATERED);
    expect(questions[0]!.message).toContain('equipment of its parcel');
  });

  it.each<[string, ElicitResult]>([
    ['is declined', { action: 'decline' }],
    ['is answered with 0', acceptWith({ flowMmPerH: 0 })],
    ['is answered with less', acceptWith({ flowMmPerH: -3 })],
    ['is answered beyond what equipment gives', acceptWith({ flowMmPerH: 1001 })],
    ['is answered in words', acceptWith({ flowMmPerH: 'about four' })],
    ['is answered with another value', acceptWith({ emitterFlowLph: 4 })],
  ])('leaves the warning as without a form where the question %s', async (_, given) => {
    const { call, questions } = await connectAsking(await lacking(), [given]);
    const { event, warnings, summary } = bodyOf(await call('log_watering', WATERED));
    expect([event.waterMm, warnings]).toEqual([null, ['MISSING_FLOW_RATE']]);
    expect(summary).toContain('ask for it and add it with correct_installation');
    expect(questions).toHaveLength(1);
    expect(bodyOf(await call('get_irrigation_setup', { module: 'North 2' })).installation.flowMmPerH).toBeNull();
  });

  it('is not asked for by a replay, nor where the dose needs none', async () => {
    const { call, questions } = await connectAsking(await lacking(), [{ action: 'decline' }]);
    const sent = { ...WATERED, idempotencyKey: 'k' };
    await call('log_watering', sent);
    await call('log_watering', sent);
    await call('log_watering', { module: 'North 2', startedAt: 'today 7:00', inputMode: 'depth_mm', inputDepthMm: 5 });
    await call('log_watering', { ...WATERED, module: 'South 1' });
    expect(questions).toHaveLength(1);
  });
});

/** A client, line by line, that says it has forms. */
async function connectWithForms(db: string, capabilities: object = { elicitation: {} }) {
  const raw = startRawServer(['--db', db, '--clock', CLOCK]);
  await raw.answer(
    raw.send('initialize', { protocolVersion: '2025-06-18', capabilities, clientInfo: { name: 'raw', version: '1' } }),
  );
  raw.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return raw;
}

/** Waits until the server has sent a request of its own. */
async function nextQuestion(raw: { lines: readonly string[]; child: Json }): Promise<Json> {
  for (;;) {
    const found = raw.lines.map((line) => JSON.parse(line)).find(({ method }) => method === 'elicitation/create');
    if (found) return found;
    await once(raw.child.stdout, 'data');
  }
}

describe('a client', () => {
  it('without forms is never asked', async () => {
    const raw = await initializeRaw(startRawServer(['--db', await newBaseFarm(), '--clock', CLOCK]));
    const { result } = await raw.answer(raw.call('log_watering', WATERING));
    expect(refusalOf(result).code).toBe('AMBIGUOUS_NAME');
    expect(raw.lines.filter((line) => line.includes('elicitation'))).toEqual([]);
  });

  it('that declares forms and answers with an error is told as without', async () => {
    const raw = await connectWithForms(await newBaseFarm());
    const id = raw.call('log_watering', WATERING);
    const { id: asked } = await nextQuestion(raw);
    raw.write(`${JSON.stringify({ jsonrpc: '2.0', id: asked, error: { code: -32601, message: 'no' } })}\n`);
    expect(refusalOf((await raw.answer(id)).result).code).toBe('AMBIGUOUS_NAME');
  });

  it('that never answers holds neither other calls nor the end of input up', async () => {
    const raw = await connectWithForms(await newBaseFarm());
    const id = raw.call('log_watering', WATERING);
    await nextQuestion(raw);
    expect(bodyOf((await raw.answer(raw.call('get_company', {}))).result).name).toBe('Mas Rouge');
    raw.child.stdin.end();
    expect(refusalOf((await raw.answer(id)).result).code).toBe('AMBIGUOUS_NAME');
    expect(await raw.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('hears that the call goes on while the person is asked', async () => {
    const raw = await connectWithForms(await newBaseFarm());
    const id = raw.send('tools/call', { name: 'log_watering', arguments: WATERING, _meta: { progressToken: 7 } });
    const { id: asked } = await nextQuestion(raw);
    while (!raw.lines.some((line) => JSON.parse(line).method === 'notifications/progress'))
      await once(raw.child.stdout, 'data');
    const result = { action: 'accept', content: { module: 'North 1 (#1)' } };
    raw.write(`${JSON.stringify({ jsonrpc: '2.0', id: asked, result })}\n`);
    expect(bodyOf((await raw.answer(id)).result).event.moduleId).toBe(1);
  });

  it('that cancels the call takes the question back with it', async () => {
    const raw = await connectWithForms(await newBaseFarm());
    const id = raw.call('log_watering', WATERING);
    const { id: asked } = await nextQuestion(raw);
    raw.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })}\n`);
    await raw.answer(raw.send('ping'));
    const said = raw.lines.map((line) => JSON.parse(line));
    expect(said).toContainEqual(
      expect.objectContaining({
        method: 'notifications/cancelled',
        params: expect.objectContaining({ requestId: asked }),
      }),
    );
    expect(said.some((message) => message.id === id && message.result)).toBe(false);
  });
});
