import { type ElicitRequest, ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import type { Lang } from '../../../src/domain/lang.ts';
import { importBaseFarm, newBaseFarm, WATERING } from '../../base-farm.ts';
import { afterTest } from '../../cleanup.ts';
import { templateStore } from '../../stores/template-stores.ts';
import { copyOfStore } from '../../temporary-places.ts';
import {
  bodyOf,
  connectServer,
  connectStdio,
  firstText,
  type McpSession,
  refusalOf,
  serverArguments,
} from '../mcp-session.ts';
import { CLOCK, type Json, runProgram, waitUntil } from '../program.ts';
import { cancelRequest, connectRaw, isAnswered, type RawServer } from '../raw-server.ts';
import { createTestKey } from '../rest-service.ts';

interface FormSession extends McpSession {
  readonly questions: Json[];
}

async function connectWithAnswers(db: string, answers: readonly ElicitResult[], lang?: Lang): Promise<FormSession> {
  const session = await connectStdio(db, { lang, capabilities: { elicitation: {} } });
  const questions: ElicitRequest['params'][] = [];
  session.client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    questions.push(params);
    return answers[questions.length - 1] ?? { action: 'cancel' };
  });
  return { ...session, questions };
}

const accept = (content: Record<string, string | number | boolean>): ElicitResult => ({ action: 'accept', content });

const AMBIGUOUS = { ...WATERING, module: 'North' };

describe('an ambiguous name', () => {
  it('is chosen by the user among the candidates, once for each idempotency key', async () => {
    const { call, questions } = await connectWithAnswers(await newBaseFarm(), [accept({ module: 'North 2 (#2)' })]);
    const args = { ...AMBIGUOUS, idempotencyKey: 'k' };
    const { event } = bodyOf(await call('log_watering', args));
    // 45 min at the 6 mm/h of the parcel's sprinklers.
    expect([event.moduleId, event.waterMm]).toEqual([2, 4.5]);
    expect(questions[0].message).toContain('"North"');
    expect(questions[0].requestedSchema).toMatchObject({
      properties: { module: { type: 'string', enum: ['North 1 (#1)', 'North 2 (#2)'] } },
      required: ['module'],
    });
    const repeated = await call('log_watering', args);
    expect([bodyOf(repeated).event.id, repeated._meta]).toEqual([event.id, { 'acequia/replayed': true }]);
    expect(questions).toHaveLength(1);
  });

  it.each<[Lang | undefined, RegExp]>([
    // The farm is in France.
    [undefined, /^"North" peut désigner/],
    ['es', /^"North" puede/],
    ['en', /^"North" can mean/],
  ])('is asked for in the language of the session (%s), or that of the country', async (lang, message) => {
    const { call, questions } = await connectWithAnswers(await newBaseFarm(), [], lang);
    refusalOf(await call('get_module', { module: 'North' }));
    expect(questions[0].message).toMatch(message);
  });

  it('is refused after any other answer', async () => {
    const answers: ElicitResult[] = [
      { action: 'decline' },
      { action: 'cancel' },
      accept({ module: 'North 3 (#3)' }),
      accept({}),
      accept({ module: 1 }),
    ];
    const { call, questions } = await connectWithAnswers(await newBaseFarm(), answers);
    for (const _ of answers)
      expect(refusalOf(await call('log_watering', AMBIGUOUS))).toMatchObject({
        code: 'AMBIGUOUS_NAME',
        hint: expect.stringContaining('#1'),
      });
    expect(questions).toHaveLength(answers.length);
    expect(bodyOf(await call('list_waterings')).data).toEqual([]);
  });
});

describe('a parcel with several probes in place of a module', () => {
  it('can be chosen as a whole where the tool takes a parcel', async () => {
    const all = 'all of North block (#1)';
    const { call, questions } = await connectWithAnswers(await newBaseFarm(), [accept({ module: all })], 'en');
    bodyOf(await call('log_watering', WATERING));
    const { data } = bodyOf(await call('list_waterings', { module: 'le bloc du nord' }));
    expect(data.map(({ moduleId }: Json) => moduleId)).toEqual([1]);
    expect(questions[0].requestedSchema.properties.module.enum).toEqual(['North 1 (#1)', 'North 2 (#2)', all]);
  });

  it('is no choice where the parcel is only noted', async () => {
    const { call, questions } = await connectWithAnswers(await newBaseFarm(), []);
    refusalOf(await call('create_alert', { module: 'le bloc du nord', threshold: 20 }));
    expect(questions[0].requestedSchema.properties.module.enum).toEqual(['North 1 (#1)', 'North 2 (#2)']);
  });
});

describe('a missing flow rate', () => {
  const withoutFlow = templateStore(async (db) => {
    await importBaseFarm(db);
    const equipment = ['module=North 2', 'system=drip', 'effectiveFrom=2026-06-01 00:00'];
    await runProgram('call', 'set_module_installation', ...equipment, '--db', db, '--clock', CLOCK);
  });
  const farmWithoutFlow = async (): Promise<string> => copyOfStore(await withoutFlow());
  const ON_NORTH_2 = { ...WATERING, module: 'North 2', detail: 'full' };

  it('is asked for with its unit after the watering is logged, is stored, and completes the dose', async () => {
    const { call, questions } = await connectWithAnswers(await farmWithoutFlow(), [accept({ flowMmPerH: 4 })]);
    const result = await call('log_watering', ON_NORTH_2);
    const { event, warnings } = bodyOf(result);
    // 45 min at 4 mm/h, then divided by the 0.35 that drip wets.
    expect([event.waterMm, event.waterMmWetted, event.configSnapshot.flowMmPerH]).toEqual([3, 8.571, 4]);
    expect(warnings).toEqual(['DEFAULT_FRACTION_WETTED']);
    expect(firstText(result)).toMatch(/3 mm over the whole area/);
    expect(questions[0].message).toMatch(/North 2.*mm d’eau par heure/);
    expect(questions[0].requestedSchema.properties.flowMmPerH).toMatchObject({ type: 'number' });
    expect(bodyOf(await call('list_waterings', { detail: 'full' })).data).toEqual([event]);
    const { installation } = bodyOf(await call('get_irrigation_setup', { module: 'North 2' }));
    expect(installation).toMatchObject({ id: event.configSnapshot.installationId, flowMmPerH: 4 });
  });

  it('is asked for once for a parcel, and completes the doses of all its probes', async () => {
    const { call, questions } = await connectWithAnswers(await newBaseFarm(), [accept({ flowMmPerH: 4 })]);
    const pivot = { parcel: 'North block', system: 'pivot', effectiveFrom: '2026-06-01 00:00' };
    bodyOf(await call('set_parcel_installation', pivot));
    const { module: _, ...watering } = WATERING;
    const result = await call('log_watering', { ...watering, parcel: 'North block' });
    const { count, waterings } = bodyOf(result);
    const own = bodyOf(await call('list_waterings', { detail: 'full' })).data;
    expect(questions).toHaveLength(1);
    expect(own).toHaveLength(count);
    const doses = waterings.map(({ event }: { event: { id: number; waterMm: number } }) => [event.id, event.waterMm]);
    expect(new Map(doses)).toEqual(
      new Map(own.map((event: { id: number; waterMm: number }) => [event.id, event.waterMm])),
    );
    // 45 min at 4 mm/h, where the setup of the parcel applies.
    expect(doses.filter(([, mm]: [number, number]) => mm === 3).length).toBeGreaterThan(0);
    expect(firstText(result)).toMatch(/missing doses? (was|were) completed/);
    expect(firstText(result)).not.toMatch(/no dose yet|no flow rate/);
  });

  it('is asked for the equipment of the parcel if that lacks it', async () => {
    const { call, questions } = await connectWithAnswers(await newBaseFarm(), []);
    const pivot = { parcel: 'North block', system: 'pivot', effectiveFrom: '2026-06-01 00:00' };
    bodyOf(await call('set_parcel_installation', pivot));
    await call('log_watering', ON_NORTH_2);
    expect(questions[0].message).toContain('équipement de la parcelle');
  });

  it.each<[string, ElicitResult]>([
    ['a refusal', { action: 'decline' }],
    ['0', accept({ flowMmPerH: 0 })],
    ['less than 0', accept({ flowMmPerH: -3 })],
    ['more than any equipment has', accept({ flowMmPerH: 1001 })],
    ['words', accept({ flowMmPerH: 'about four' })],
    ['another field', accept({ emitterFlowLph: 4 })],
  ])('stays a warning after %s', async (_, answer) => {
    const { call, questions } = await connectWithAnswers(await farmWithoutFlow(), [answer]);
    const { event, warnings, summary } = bodyOf(await call('log_watering', ON_NORTH_2));
    expect([event.waterMm, warnings]).toEqual([null, ['MISSING_FLOW_RATE']]);
    expect(summary).toContain('correct_installation');
    expect(questions).toHaveLength(1);
    expect(bodyOf(await call('get_irrigation_setup', { module: 'North 2' })).installation.flowMmPerH).toBeNull();
  });

  it('is not asked for in a replay, nor if the dose does not need it', async () => {
    const { call, questions } = await connectWithAnswers(await farmWithoutFlow(), [{ action: 'decline' }]);
    const args = { ...ON_NORTH_2, idempotencyKey: 'k' };
    await call('log_watering', args);
    await call('log_watering', args);
    await call('log_watering', { module: 'North 2', startedAt: 'today 7:00', inputMode: 'depth_mm', inputDepthMm: 5 });
    await call('log_watering', { ...ON_NORTH_2, module: 'South 1' });
    expect(questions).toHaveLength(1);
  });
});

describe('what destroys', () => {
  const WILTING_POINT = { module: 'North 1', type: 'h-line', value: 18, style: { fill: 'threshold2' } };
  const yes = accept({ confirm: true });
  const no: [string, ElicitResult][] = [
    ['a refusal', { action: 'decline' }],
    ['no reply', { action: 'cancel' }],
    ['an unticked box', accept({ confirm: false })],
    ['an empty form', accept({})],
    ['other words', accept({ confirm: 'not now' })],
  ];
  const drawingsOf = async ({ call }: McpSession) =>
    bodyOf(await call('list_annotations', { module: 'North 1', chartType: 'humidity' })).data;
  const wateringsOf = async ({ call }: McpSession) => bodyOf(await call('list_waterings')).data;

  /** Written by another caller, so that undoing it is confirmed. */
  async function farmWithWateringOfAnother(): Promise<{ db: string; changeId: number }> {
    const db = await newBaseFarm();
    const { key } = await createTestKey(db);
    const other = await connectServer(serverArguments(db, {}), { env: { ACEQUIA_API_KEY: key } });
    afterTest(() => other.client.close());
    return { db, changeId: bodyOf(await other.call('log_watering', WATERING)).changeId };
  }

  it('a drawing is deleted once the person confirms it', async () => {
    const session = await connectWithAnswers(await newBaseFarm(), [yes], 'en');
    const { id: annotationId } = bodyOf(await session.call('create_annotation', WILTING_POINT));
    const text = { module: 'North 1', type: 'text', at: 'yesterday 6:00', value: 20, text: 'Pump repaired' };
    bodyOf(await session.call('create_annotation', text));
    expect(bodyOf(await session.call('delete_annotation', { annotationId })).success).toBe(true);
    expect(await drawingsOf(session)).toMatchObject([{ content: { text: 'Pump repaired' } }]);
    expect(session.questions).toMatchObject([
      {
        message:
          'Delete this from the moisture curve of North 1: the wilting point as a line at 18 % (vwc)? Its alert stops with it.',
        requestedSchema: { properties: { confirm: { type: 'boolean', title: 'Yes' } }, required: ['confirm'] },
      },
    ]);
    bodyOf(await session.call('undo'));
    expect(await drawingsOf(session)).toHaveLength(2);
  });

  it.each<[Lang | undefined, RegExp]>([
    ['en', /, "Pump repaired"[?]$/],
    [undefined, /^Supprimer ce tracé sur la courbe .* North 1 : .*, "Pump repaired" [?]$/],
    ['es', /^¿Eliminar esta anotación en la curva .* North 1: .*, "Pump repaired"[?]$/],
  ])('a drawing is shown with its text in the language of the session (%s)', async (lang, message) => {
    const session = await connectWithAnswers(await newBaseFarm(), [accept({ confirm: 'true' })], lang);
    const text = { module: 'North 1', type: 'text', at: 'yesterday 6:00', value: 20, text: 'Pump repaired' };
    const { id: annotationId } = bodyOf(await session.call('create_annotation', text));
    bodyOf(await session.call('delete_annotation', { annotationId }));
    expect(session.questions[0].message).toMatch(message);
  });

  it.each(no)('a drawing stays after %s', async (_, answer) => {
    const session = await connectWithAnswers(await newBaseFarm(), [answer]);
    const { id: annotationId } = bodyOf(await session.call('create_annotation', WILTING_POINT));
    expect(refusalOf(await session.call('delete_annotation', { annotationId, idempotencyKey: 'k' }))).toEqual({
      code: 'NOT_CONFIRMED',
      status: 409,
      message: 'The person was asked and did not confirm this, so nothing was changed.',
      hint: expect.stringMatching(/^Ask them what they want.*call delete_annotation again/),
    });
    expect(await drawingsOf(session)).toHaveLength(1);
    expect(session.questions).toHaveLength(1);
  });

  it.each<[Lang, string]>([
    [
      'en',
      'Undo what was entered today 12:00 by Ana, by chat or command? Then: 1 watering removed (North 1, today 06:00).',
    ],
    [
      'fr',
      'Annuler la saisie d’aujourd’hui à 12:00 par Ana, par conversation ou commande ? Résultat : 1 arrosage supprimé (North 1, aujourd’hui à 06:00).',
    ],
    [
      'es',
      '¿Deshacer lo anotado hoy a las 12:00 por Ana, por chat o comando? Resultado: 1 riego eliminado (North 1, hoy a las 06:00).',
    ],
  ])('a write of another caller is undone once the person confirms it (%s)', async (lang, message) => {
    const { db, changeId } = await farmWithWateringOfAnother();
    const session = await connectWithAnswers(db, [{ action: 'decline' }, yes], lang);
    expect(refusalOf(await session.call('undo', { changeId })).code).toBe('NOT_CONFIRMED');
    expect(await wateringsOf(session)).toHaveLength(1);
    bodyOf(await session.call('undo', { changeId }));
    expect(await wateringsOf(session)).toEqual([]);
    expect(session.questions.map((each) => each.message)).toEqual([message, message]);
  });

  it('the caller’s own writes are undone without a question, and what cannot be undone is not asked for', async () => {
    const { db, changeId } = await farmWithWateringOfAnother();
    const session = await connectWithAnswers(db, [yes]);
    const own = bodyOf(await session.call('log_watering', { ...WATERING, module: 'North 2' }));
    const { changeId: undo } = bodyOf(await session.call('undo'));
    bodyOf(await session.call('undo', { changeId: undo }));
    bodyOf(await session.call('correct_watering', { eventId: (await wateringsOf(session))[0].id, durationMin: 30 }));
    bodyOf(await session.call('undo'));
    expect(own.changeId).toBeGreaterThan(changeId);
    expect(session.questions).toEqual([]);
    bodyOf(await session.call('undo', { changeId }));
    expect(refusalOf(await session.call('undo', { changeId })).code).toBe('CHANGE_NOT_UNDOABLE');
    expect(session.questions).toHaveLength(1);
  });

  it('is done at once for a client without forms', async () => {
    const { db, changeId } = await farmWithWateringOfAnother();
    const session = await connectStdio(db);
    const { id: annotationId } = bodyOf(await session.call('create_annotation', WILTING_POINT));
    bodyOf(await session.call('delete_annotation', { annotationId }));
    bodyOf(await session.call('undo', { changeId }));
    expect(await wateringsOf(session)).toEqual([]);
  });
});

describe('a client', () => {
  const connectWithForms = async (): Promise<RawServer> => connectRaw(await newBaseFarm(), {}, { elicitation: {} });

  async function questionId(raw: RawServer): Promise<unknown> {
    const isQuestion = ({ method }: Json) => method === 'elicitation/create';
    await waitUntil(() => raw.messages().some(isQuestion));
    return raw.messages().find(isQuestion).id;
  }

  it('without forms gets no question', async () => {
    const raw = await connectRaw(await newBaseFarm());
    expect(refusalOf((await raw.answer(raw.call('log_watering', AMBIGUOUS))).result).code).toBe('AMBIGUOUS_NAME');
    expect(raw.lines.filter((line) => line.includes('elicitation'))).toEqual([]);
  });

  it('that answers a form with an error gets the refusal', async () => {
    const raw = await connectWithForms();
    const id = raw.call('log_watering', AMBIGUOUS);
    const error = { code: -32601, message: 'no' };
    raw.write(`${JSON.stringify({ jsonrpc: '2.0', id: await questionId(raw), error })}\n`);
    expect(refusalOf((await raw.answer(id)).result).code).toBe('AMBIGUOUS_NAME');
  });

  it('that never answers delays neither other calls nor the end of input', async () => {
    const raw = await connectWithForms();
    const id = raw.call('log_watering', AMBIGUOUS);
    await questionId(raw);
    expect(bodyOf((await raw.answer(raw.call('get_company', {}))).result).name).toBe('Mas Rouge');
    raw.child.stdin.end();
    expect(refusalOf((await raw.answer(id)).result).code).toBe('AMBIGUOUS_NAME');
    expect(await raw.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('gets progress during the question', async () => {
    const raw = await connectWithForms();
    const id = raw.send('tools/call', { name: 'log_watering', arguments: AMBIGUOUS, _meta: { progressToken: 7 } });
    const question = await questionId(raw);
    await waitUntil(() => raw.messages().some(({ method }) => method === 'notifications/progress'));
    const result = { action: 'accept', content: { module: 'North 1 (#1)' } };
    raw.write(`${JSON.stringify({ jsonrpc: '2.0', id: question, result })}\n`);
    expect(bodyOf((await raw.answer(id)).result).event.moduleId).toBe(1);
  });

  it('that cancels the call has its question cancelled', async () => {
    const raw = await connectWithForms();
    const id = raw.call('log_watering', AMBIGUOUS);
    const question = await questionId(raw);
    cancelRequest(raw, id);
    await raw.answer(raw.send('ping'));
    const cancelled = raw.messages().filter(({ method }) => method === 'notifications/cancelled');
    expect(cancelled).toMatchObject([{ params: { requestId: question } }]);
    expect(isAnswered(raw, id)).toBe(false);
  });
});
