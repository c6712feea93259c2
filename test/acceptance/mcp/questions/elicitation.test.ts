import { beforeAll, describe, expect, it } from 'vitest';
import { baseFarmForFile, WATERING } from '../../../base-farm.ts';
import {
  bodyOf,
  connectForFile,
  firstText,
  type McpSession,
  refusalOf,
  serverArguments,
} from '../../mcp-session.ts';
import { type Json, waitUntil } from '../../program.ts';
import {
  cancelRequest,
  connectRaw,
  isAnswered,
  type RawServer,
  sharedRawServer,
} from '../../raw-server.ts';
import { createTestKey } from '../../rest-service.ts';
import { newBlock } from '../own-block.ts';
import { accept, type FormSession, withForms } from './form-session.ts';

const LANGS = ['fr', 'en', 'es'] as const;
type SessionLang = (typeof LANGS)[number];

let db: string;
let sessions: Record<SessionLang, FormSession>;
beforeAll(async () => {
  db = await baseFarmForFile();
  const connect = async (lang: SessionLang | undefined, env = {}): Promise<FormSession> =>
    withForms(
      await connectForFile(serverArguments(db, { lang }), {
        capabilities: { elicitation: {} },
        env,
      }),
    );
  const { key } = await createTestKey(db);
  sessions = {
    // The farm is in France.
    fr: await connect(undefined),
    // The only one with a key: another caller.
    en: await connect('en', { ACEQUIA_API_KEY: key }),
    es: await connect('es'),
  };
});

const call: McpSession['call'] = (name, args) => sessions.fr.call(name, args);
const answerWith: FormSession['answerWith'] = (...answers) => sessions.fr.answerWith(...answers);
const wateringsOf = async (module: string, args: object = {}): Promise<Json[]> =>
  bodyOf(await call('list_waterings', { module, ...args })).data;

describe('an ambiguous name', () => {
  it('is chosen by the user among the candidates, once for each idempotency key', async () => {
    const { ambiguous, ids, labels } = await newBlock(call);
    const questions = answerWith(accept({ module: labels[0] }));
    const args = { ...ambiguous, idempotencyKey: 'choice' };
    const { event } = bodyOf(await call('log_watering', args));
    expect(event.moduleId).toBe(ids[0]);
    expect(questions[0].message).toContain(`"${ambiguous.module}"`);
    expect(questions[0].requestedSchema).toMatchObject({
      properties: { module: { type: 'string', enum: labels } },
      required: ['module'],
    });
    const repeated = await call('log_watering', args);
    expect([bodyOf(repeated).event.id, repeated._meta]).toEqual([
      event.id,
      { 'acequia/replayed': true },
    ]);
    expect(questions).toHaveLength(1);
  });

  it.each<[SessionLang, RegExp]>([
    ['fr', /^"North" peut désigner/],
    ['es', /^"North" puede/],
    ['en', /^"North" can mean/],
  ])(
    'is asked for in the language of the session, or that of the country (%s)',
    async (lang, message) => {
      const questions = sessions[lang].answerWith();
      refusalOf(await sessions[lang].call('get_module', { module: 'North' }));
      expect(questions[0].message).toMatch(message);
    },
  );

  it('says in the form what it is for', async () => {
    const { ambiguous } = await newBlock(call);
    const questions = answerWith();
    refusalOf(await call('log_watering', ambiguous));
    expect(questions[0].message).toMatch(/^Noter 45 min sur quelle sonde \? "\w+" peut désigner/);
    expect(questions[0].requestedSchema.properties.module.title).toBe('Sonde');
  });
});

describe('a parcel with several probes in place of a module', () => {
  it('can be chosen as a whole where the tool takes a parcel', async () => {
    const { parcel, probes, labels, ids } = await newBlock(call);
    const list = (module: string) => sessions.en.call('list_waterings', { module });
    bodyOf(await call('log_watering', { ...WATERING, module: probes[0] }));
    const questions = sessions.en.answerWith();
    refusalOf(await list(parcel));
    const choices = questions[0].requestedSchema.properties.module.enum;
    expect(choices).toEqual([...labels, expect.stringContaining(`all of ${parcel} (#`)]);
    sessions.en.answerWith(accept({ module: choices[2] }));
    expect(bodyOf(await list(parcel)).data).toMatchObject([{ moduleId: ids[0] }]);
  });

  it('is no choice where the parcel is only noted', async () => {
    const { parcel, labels } = await newBlock(call);
    const questions = answerWith();
    refusalOf(await call('log_rain', { module: parcel, mm: 12, when: 'today' }));
    expect(questions[0].requestedSchema.properties.module.enum).toEqual(labels);
  });
});

describe('a missing flow rate', () => {
  it('is asked for with its unit after the watering is logged, is stored, and completes the dose', async () => {
    const { watering, probes } = await newBlock(call);
    const questions = answerWith(accept({ flowMmPerH: 4 }));
    const result = await call('log_watering', watering);
    const { event, warnings } = bodyOf(result);
    // 45 min at 4 mm/h, then divided by the 0.35 that drip wets.
    expect([event.waterMm, event.waterMmWetted, event.configSnapshot.flowMmPerH]).toEqual([
      3, 8.571, 4,
    ]);
    expect(warnings).toEqual(['DEFAULT_FRACTION_WETTED']);
    expect(firstText(result)).toMatch(/3 mm over the whole area/);
    expect(questions[0].message).toContain(probes[1]);
    expect(questions[0].message).toMatch(/mm d’eau par heure/);
    expect(questions[0].requestedSchema.properties.flowMmPerH).toMatchObject({ type: 'number' });
    expect(await wateringsOf(probes[1], { detail: 'full' })).toEqual([event]);
    const { installation } = bodyOf(await call('get_irrigation_setup', { module: probes[1] }));
    expect(installation).toMatchObject({ id: event.configSnapshot.installationId, flowMmPerH: 4 });
  });

  it('is asked for in inches per hour where the farm has US units', async () => {
    const { call: callInSpanish, answerWith: answerInSpanish } = sessions.es;
    const { watering } = await newBlock(callInSpanish);
    bodyOf(await callInSpanish('set_company', { units: 'us' }));
    const questions = answerInSpanish(accept({ flowInchesPerH: 0.2 }));
    const result = await callInSpanish('log_watering', watering);
    bodyOf(await callInSpanish('set_company', { clear: ['units'] }));

    // 45 min at 5.08 mm/h.
    const { event } = bodyOf(result);
    expect([event.waterMm, event.configSnapshot.flowMmPerH]).toEqual([3.81, 5.08]);
    expect(firstText(result)).toContain('0.2 in/h (5.08 mm/h)');
    expect(questions[0].message).toMatch(/pulgadas de agua por hora/);
    expect(questions[0].requestedSchema.properties.flowInchesPerH).toMatchObject({
      title: 'Pluviometría, pulg./h',
      maximum: 39,
    });
  });

  it('is asked for once for a parcel, and completes the doses of all its probes', async () => {
    const { parcel, probes, watering } = await newBlock(call, null);
    const questions = answerWith(accept({ flowMmPerH: 4 }));
    bodyOf(
      await call('set_parcel_installation', {
        parcel,
        system: 'pivot',
        effectiveFrom: '2026-06-01 00:00',
      }),
    );
    const { module: _, ...ofParcel } = { ...watering, parcel };
    const result = await call('log_watering', ofParcel);
    expect(questions).toHaveLength(1);
    expect(questions[0].message).toContain('équipement de la parcelle');
    // 45 min at 4 mm/h.
    expect(bodyOf(result).waterings.map(({ event }: Json) => event.waterMm)).toEqual([3, 3]);
    for (const probe of probes) expect(await wateringsOf(probe)).toMatchObject([{ waterMm: 3 }]);
    expect(firstText(result)).toMatch(/missing doses? (was|were) completed/);
    expect(firstText(result)).not.toMatch(/no dose yet|no flow rate/);
  });

  it('is not asked for in a replay, nor if the dose does not need it', async () => {
    const { watering, probes } = await newBlock(call);
    const questions = answerWith({ action: 'decline' });
    const args = { ...watering, idempotencyKey: 'flow' };
    await call('log_watering', args);
    await call('log_watering', args);
    const depth = {
      module: probes[1],
      startedAt: 'today 7:00',
      inputMode: 'depth_mm',
      inputDepthMm: 5,
    };
    bodyOf(await call('log_watering', depth));
    bodyOf(await call('log_watering', { ...watering, module: probes[0] }));
    expect(questions).toHaveLength(1);
  });
});

describe('a destructive call', () => {
  const yes = accept({ confirm: true });
  const draw = (module: string) => ({
    module,
    type: 'h-line',
    value: 18,
    style: { fill: 'threshold2' },
  });
  const note = (module: string) => ({
    module,
    type: 'text',
    at: 'yesterday 6:00',
    value: 20,
    text: 'Pump repaired',
  });
  const drawingsOf = async (module: string) =>
    bodyOf(await call('list_annotations', { module, chartType: 'humidity' })).data;
  const newProbe = async (): Promise<string> => (await newBlock(call, null)).probes[0];

  it('a drawing is deleted once the person confirms it', async () => {
    const module = await newProbe();
    const session = sessions.en;
    const questions = session.answerWith(yes);
    const { id: annotationId } = bodyOf(await session.call('create_annotation', draw(module)));
    bodyOf(await session.call('create_annotation', note(module)));
    expect(bodyOf(await session.call('delete_annotation', { annotationId })).success).toBe(true);
    expect(await drawingsOf(module)).toMatchObject([{ content: { text: 'Pump repaired' } }]);
    expect(questions).toMatchObject([
      {
        message: `Delete this from the moisture curve of ${module}: the wilting point as a line at 18 % (vwc)? Its alert stops with it.`,
        requestedSchema: {
          properties: { confirm: { type: 'boolean', title: 'Yes' } },
          required: ['confirm'],
        },
      },
    ]);
    bodyOf(await session.call('undo'));
    expect(await drawingsOf(module)).toHaveLength(2);
  });

  it.each<[SessionLang, RegExp]>([
    ['en', /, "Pump repaired"[?]$/],
    ['fr', /^Supprimer ce tracé sur la courbe .* \S+ 1 : .*, "Pump repaired" [?]$/],
    ['es', /^¿Eliminar esta anotación en la curva .* \w+ 1: .*, "Pump repaired"[?]$/],
  ])(
    'a drawing is shown with its text in the language of the session (%s)',
    async (lang, message) => {
      const module = await newProbe();
      const questions = sessions[lang].answerWith(accept({ confirm: 'true' }));
      const { id: annotationId } = bodyOf(await call('create_annotation', note(module)));
      bodyOf(await sessions[lang].call('delete_annotation', { annotationId }));
      expect(questions[0].message).toMatch(message);
    },
  );

  /** Logged by a caller other than that of the session, so that undoing it is confirmed. */
  const wateringOfAnother = async (
    lang: SessionLang,
  ): Promise<{ module: string; changeId: number }> => {
    const module = await newProbe();
    const other = lang === 'en' ? sessions.fr : sessions.en;
    return {
      module,
      changeId: bodyOf(await other.call('log_watering', { ...WATERING, module })).changeId,
    };
  };

  it.each<[SessionLang, RegExp]>([
    [
      'en',
      /^Undo what was entered today 12:0\d by Ana, by chat or command[?] Then: 1 watering removed \(\w+ 1, today 06:00\)[.]$/,
    ],
    [
      'fr',
      /^Annuler la saisie d’aujourd’hui à 12:0\d par Ana, par conversation ou commande [?] Résultat : 1 arrosage supprimé \(\w+ 1, aujourd’hui à 06:00\)[.]$/,
    ],
    [
      'es',
      /^¿Deshacer lo anotado hoy a las 12:0\d por Ana, por chat o comando[?] Resultado: 1 riego eliminado \(\w+ 1, hoy a las 06:00\)[.]$/,
    ],
  ])(
    'a write of another caller is undone once the person confirms it (%s)',
    async (lang, message) => {
      const { module, changeId } = await wateringOfAnother(lang);
      const session = sessions[lang];
      const questions = session.answerWith({ action: 'decline' }, yes);
      expect(refusalOf(await session.call('undo', { changeId })).code).toBe('NOT_CONFIRMED');
      expect(await wateringsOf(module)).toHaveLength(1);
      bodyOf(await session.call('undo', { changeId }));
      expect(await wateringsOf(module)).toEqual([]);
      expect(questions.map((each) => each.message)).toEqual([
        expect.stringMatching(message),
        expect.stringMatching(message),
      ]);
    },
  );

  it('the caller’s own writes are undone without a question, and what cannot be undone is not asked for', async () => {
    const { changeId } = await wateringOfAnother('fr');
    const questions = answerWith(yes);
    const own = bodyOf(await call('log_watering', { ...WATERING, module: await newProbe() }));
    const { changeId: undo } = bodyOf(await call('undo', { changeId: own.changeId }));
    bodyOf(await call('undo', { changeId: undo }));
    bodyOf(await call('correct_watering', { eventId: own.event.id, durationMin: 30 }));
    bodyOf(await call('undo'));
    expect(questions).toEqual([]);
    bodyOf(await call('undo', { changeId }));
    expect(refusalOf(await call('undo', { changeId })).code).toBe('CHANGE_NOT_UNDOABLE');
    expect(questions).toHaveLength(1);
  });
});

describe('a client', () => {
  const FORMS = { elicitation: {} };
  const shared = sharedRawServer(FORMS);
  const AMBIGUOUS = { ...WATERING, module: 'North' };

  /** Once a call asks: of its question, and of the messages since it was sent. */
  async function callThatAsks(raw: RawServer, _meta?: object) {
    const before = raw.lines.length;
    const messages = () => raw.messages.slice(before);
    const id = raw.send('tools/call', { name: 'log_watering', arguments: AMBIGUOUS, _meta });
    const isQuestion = ({ method }: Json) => method === 'elicitation/create';
    await waitUntil(() => messages().some(isQuestion));
    return { id, messages, question: messages().find(isQuestion).id };
  }

  it('that answers a form with an error gets the refusal', async () => {
    const { id, question } = await callThatAsks(shared());
    const error = { code: -32601, message: 'no' };
    shared().write(`${JSON.stringify({ jsonrpc: '2.0', id: question, error })}\n`);
    expect(refusalOf((await shared().answer(id)).result).code).toBe('AMBIGUOUS_NAME');
  });

  it('that never answers delays neither other calls nor the end of input', async () => {
    const raw = await connectRaw(db, {}, FORMS);
    const { id } = await callThatAsks(raw);
    expect(bodyOf((await raw.answer(raw.call('get_company', {}))).result).name).toBe('Mas Rouge');
    raw.child.stdin.end();
    expect(refusalOf((await raw.answer(id)).result).code).toBe('AMBIGUOUS_NAME');
    expect(await raw.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('gets progress during the question', async () => {
    const { id, question, messages } = await callThatAsks(shared(), { progressToken: 7 });
    await waitUntil(() => messages().some(({ method }) => method === 'notifications/progress'));
    const result = { action: 'accept', content: { module: 'North 1 (#1)' } };
    shared().write(`${JSON.stringify({ jsonrpc: '2.0', id: question, result })}\n`);
    expect(bodyOf((await shared().answer(id)).result).event.moduleId).toBe(1);
  });

  it('that cancels the call has its question cancelled', async () => {
    const { id, question, messages } = await callThatAsks(shared());
    cancelRequest(shared(), id);
    await shared().answer(shared().send('ping'));
    const cancelled = messages().filter(({ method }) => method === 'notifications/cancelled');
    expect(cancelled).toMatchObject([{ params: { requestId: question } }]);
    expect(isAnswered(shared(), id)).toBe(false);
  });
});
