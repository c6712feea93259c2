import type { ElicitResult } from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { WATERING } from '../../../base-farm.ts';
import { bodyOf, refusalOf } from '../../mcp-session.ts';
import type { Json } from '../../program.ts';
import { sharedRestService } from '../../rest-service.ts';
import {
  ASKED_CONNECTIONS,
  type Connection,
  type ConnectionKind,
  openConnection,
  TRIED_CONNECTIONS,
} from '../eras/connections.ts';
import { type Block, importBlocks } from '../own-block.ts';
import { accept } from './form-session.ts';

const service = sharedRestService();
/** The connection of another caller. */
let other: Connection;
/** Returns a block that no other test has. */
let newBlock: () => Block;
beforeAll(async () => {
  newBlock = await importBlocks(service().db, 250);
  other = await openConnection(service(), { transport: 'HTTP', revision: '2026-07-28' });
});

interface Asking {
  readonly tool: string;
  readonly args: Json;
  /** Reads what is stored of it. */
  readonly stored: () => Promise<unknown>;
}

/** A call about which a person is asked. */
interface Subject {
  readonly begin: (call: Connection['call'], block: Block) => Promise<Asking>;
  readonly before: unknown;
  /** Over HTTP in French, the language of the country of the farm. */
  readonly message: Readonly<Record<'en' | 'fr', RegExp>>;
  /** The refusal or what is stored where no form can be shown to a person who has a client with forms. */
  readonly withoutForm: string | { readonly stored: unknown };
  /** The same for a client that has no forms. */
  readonly withoutForms: string | { readonly stored: unknown };
}

const dosesOf = async (call: Connection['call'], { probes }: Block): Promise<unknown[]> => {
  const lists = probes.map((module) => call('list_waterings', { module }));
  return (await Promise.all(lists)).map((list) =>
    bodyOf(list).data.map(({ waterMm }: Json) => waterMm ?? null),
  );
};

const linesOf = async (call: Connection['call'], { probes: [module] }: Block): Promise<number[]> =>
  bodyOf(await call('list_annotations', { module, chartType: 'humidity' })).data.map(
    ({ p1 }: Json) => p1[1],
  );

const line = ({ probes: [module] }: Block, value: number, fill: string) => ({
  module,
  type: 'h-line',
  unit: 'vwc',
  value,
  style: { fill },
});

const SUBJECTS = {
  'an ambiguous name': {
    begin: async (call, block) => ({
      tool: 'log_watering',
      args: block.ambiguous,
      stored: () => dosesOf(call, block),
    }),
    before: [[], []],
    message: { en: /"\w+" can mean/, fr: /"\w+" peut désigner/ },
    withoutForm: 'AMBIGUOUS_NAME',
    withoutForms: 'AMBIGUOUS_NAME',
  },
  'a missing flow rate': {
    begin: async (call, block) => ({
      tool: 'log_watering',
      args: block.watering,
      stored: () => dosesOf(call, block),
    }),
    before: [[], [null]],
    message: { en: /is recorded\..*mm of water/, fr: /est noté\..*mm d’eau/ },
    withoutForm: { stored: [[], [null]] },
    withoutForms: { stored: [[], [null]] },
  },
  'the deletion of a line': {
    begin: async (call, block) => {
      const drawn = await call('create_annotation', line(block, 18, 'threshold2'));
      return {
        tool: 'delete_annotation',
        args: { annotationId: bodyOf(drawn).id },
        stored: () => linesOf(call, block),
      };
    },
    before: [18],
    message: { en: /^Delete this .* 18 %/, fr: /^Supprimer ce tracé .* 18 %/ },
    withoutForm: 'CONFIRMATION_REQUIRED',
    withoutForms: { stored: [] },
  },
  'the undo of what another caller wrote': {
    begin: async (call, block) => {
      const logged = await other.call('log_watering', { ...WATERING, module: block.probes[0] });
      return {
        tool: 'undo',
        args: { changeId: bodyOf(logged).changeId },
        stored: () => dosesOf(call, block),
      };
    },
    before: [[null], []],
    message: { en: /^Undo what was entered today/, fr: /^Annuler la saisie d’aujourd’hui/ },
    withoutForm: 'CONFIRMATION_REQUIRED',
    withoutForms: { stored: [[], []] },
  },
  'a line that the soil does not explain': {
    begin: async (call, block) => {
      // Loam, whose field capacity is at 28 %.
      const layers = [{ soilHorizonId: 6, depthTopCm: 0, depthBottomCm: 60 }];
      bodyOf(await call('set_soil_profile', { parcel: block.parcel, layers }));
      return {
        tool: 'create_annotation',
        args: line(block, 41, 'threshold1'),
        stored: () => linesOf(call, block),
      };
    },
    before: [],
    message: { en: /41 %.*28 %/, fr: /41 %.*28 %/ },
    withoutForm: 'CONFIRMATION_REQUIRED',
    withoutForms: { stored: [41] },
  },
} satisfies Readonly<Record<string, Subject>>;

type SubjectName = keyof typeof SUBJECTS;

interface Scenario {
  readonly subject: SubjectName;
  readonly reply: string;
  readonly answers: (block: Block) => readonly ElicitResult[];
  /** The stored rows afterwards, or the code of a refusal, which leaves all as it was. */
  readonly outcome: string | { readonly stored: unknown };
  /** The subject of the question that follows the first one. */
  readonly next?: SubjectName;
}

const scenario = (
  subject: SubjectName,
  reply: string,
  answer: ElicitResult,
  outcome: Scenario['outcome'],
): Scenario => ({ subject, reply, answers: () => [answer], outcome });

const DECLINE = { action: 'decline' } as const;
const CANCEL = { action: 'cancel' } as const;
const YES = accept({ confirm: true });

const NO = [DECLINE, CANCEL, accept({ confirm: false })];

/** Each way in which a question ends, on every kind of connection. */
const EVERYWHERE: readonly Scenario[] = [
  {
    subject: 'an ambiguous name',
    reply: 'a choice',
    answers: ({ labels }) => [accept({ module: labels[0] })],
    outcome: { stored: [[null], []] },
  },
  {
    subject: 'an ambiguous name',
    reply: 'a choice and a flow rate',
    next: 'a missing flow rate',
    answers: ({ labels }) => [accept({ module: labels[1] }), accept({ flowMmPerH: 4 })],
    // 45 min at 4 mm/h.
    outcome: { stored: [[], [3]] },
  },
  scenario('an ambiguous name', 'a refusal', DECLINE, 'NOT_CONFIRMED'),
  scenario('a missing flow rate', 'a figure', accept({ flowMmPerH: 4 }), { stored: [[], [3]] }),
  scenario('a missing flow rate', 'an empty form', accept({}), { stored: [[], [null]] }),
  scenario('the deletion of a line', 'yes', YES, { stored: [] }),
  scenario('the deletion of a line', 'a refusal', DECLINE, 'NOT_CONFIRMED'),
  scenario('the undo of what another caller wrote', 'yes', YES, { stored: [[], []] }),
  scenario('the undo of what another caller wrote', 'a refusal', DECLINE, 'NOT_CONFIRMED'),
];

const accepted = (...contents: readonly Parameters<typeof accept>[0][]): ElicitResult[] =>
  contents.map(accept);

/** Replies whose outcome does not depend on the connection. */
const REPLIES: readonly Scenario[] = [
  scenario('an ambiguous name', 'no reply', CANCEL, 'NOT_CONFIRMED'),
  ...accepted({ module: 'North 3 (#3)' }, {}, { module: 1 }).map((answer) =>
    scenario('an ambiguous name', JSON.stringify(answer), answer, 'AMBIGUOUS_NAME'),
  ),
  ...[
    DECLINE,
    ...accepted({ flowMmPerH: 0 }, { flowMmPerH: -3 }, { flowMmPerH: 1001 }),
    ...accepted({ flowMmPerH: 'about four' }, { emitterFlowLph: 4 }),
  ].map((answer) =>
    scenario('a missing flow rate', JSON.stringify(answer), answer, { stored: [[], [null]] }),
  ),
  scenario('the deletion of a line', 'yes as a text', accept({ confirm: 'true' }), { stored: [] }),
  ...[CANCEL, ...accepted({ confirm: false }, {}, { confirm: 'not now' })].map((answer) =>
    scenario('the deletion of a line', JSON.stringify(answer), answer, 'NOT_CONFIRMED'),
  ),
  scenario('a line that the soil does not explain', 'yes', YES, { stored: [41] }),
  ...NO.map((answer) =>
    scenario(
      'a line that the soil does not explain',
      JSON.stringify(answer),
      answer,
      'NOT_CONFIRMED',
    ),
  ),
];

/** A reply does not matter where nobody is asked. */
const isFirstOfSubject = ({ subject }: Scenario, index: number): boolean =>
  EVERYWHERE.findIndex((other) => other.subject === subject) === index;

const isTried = (kind: ConnectionKind): boolean =>
  TRIED_CONNECTIONS.some(
    ({ transport, revision }) => kind.transport === transport && kind.revision === revision,
  );

async function expectOutcome(
  result: Json,
  { stored }: Asking,
  outcome: Scenario['outcome'],
  before: unknown,
): Promise<void> {
  if (typeof outcome === 'string') expect(refusalOf(result).code).toBe(outcome);
  else bodyOf(result);
  expect(await stored()).toEqual(typeof outcome === 'string' ? before : outcome.stored);
}

describe.each(ASKED_CONNECTIONS)(
  'over $transport in $revision, a person is asked about',
  (kind) => {
    const canAsk = !(kind.transport === 'HTTP' && kind.revision === '2025-11-25');
    let connection: Connection;
    let [answers, questions]: [readonly ElicitResult[], string[]] = [[], []];
    beforeAll(async () => {
      connection = await openConnection(service(), kind, ({ message }) => {
        questions.push(message);
        return answers[questions.length - 1] ?? CANCEL;
      });
    });

    const everywhere = canAsk ? EVERYWHERE : EVERYWHERE.filter(isFirstOfSubject);
    const scenarios = canAsk && isTried(kind) ? [...everywhere, ...REPLIES] : everywhere;

    it.each(scenarios)('$subject: $reply', async ({ subject, next, answers: reply, outcome }) => {
      const { call } = connection;
      const block = newBlock();
      const { begin, before, withoutForm, message }: Subject = SUBJECTS[subject];
      const asking = await begin(call, block);
      [answers, questions] = [reply(block), []];

      const result = await call(asking.tool, asking.args);
      await expectOutcome(result, asking, canAsk ? outcome : withoutForm, before);

      const lang = kind.transport === 'HTTP' ? 'fr' : 'en';
      const asked = next === undefined ? [message] : [message, SUBJECTS[next].message];
      expect(questions).toEqual(
        canAsk ? asked.map((texts) => expect.stringMatching(texts[lang])) : [],
      );
      if (withoutForm !== 'CONFIRMATION_REQUIRED' || (canAsk && outcome !== 'NOT_CONFIRMED'))
        return;

      if (canAsk) {
        // Whatever the assistant says that the person said.
        refusalOf(await call(asking.tool, { ...asking.args, confirm: true }));
        expect(await asking.stored()).toEqual(before);
        return;
      }

      // The assistant asks in place of a form.
      expect(refusalOf(result)).toMatchObject({
        message: expect.stringMatching(/Nothing was changed.*question to them/),
        hint: expect.stringMatching(/Ask them.*again.*confirm: true/),
      });
      for (const confirm of [false, 'no', '', null])
        refusalOf(await call(asking.tool, { ...asking.args, confirm }));
      expect(await asking.stored()).toEqual(before);
      bodyOf(await call(asking.tool, { ...asking.args, confirm: true }));
    });

    it('nothing by a call that needs no confirmation, which has no argument for it', async () => {
      const refusal = refusalOf(await connection.call('list_alerts', { confirm: true }));
      expect(refusal.message).toContain('no argument "confirm"');
    });

    if (!canAsk) return;

    it('nothing more once its key was used', async () => {
      const { call } = connection;
      const { ambiguous, labels } = newBlock();
      [answers, questions] = [[accept({ module: labels[1] }), accept({ flowMmPerH: 4 })], []];
      const args = { ...ambiguous, idempotencyKey: ambiguous.module };
      const { event } = bodyOf(await call('log_watering', args));
      const repeated = await call('log_watering', args);
      expect([bodyOf(repeated).event.id, repeated._meta['acequia/replayed']]).toEqual([
        event.id,
        true,
      ]);
      expect(questions).toHaveLength(2);
      // As people say its name.
      const listed = await call('list_waterings', { module: `the ${ambiguous.module} two` });
      expect(bodyOf(listed).data).toHaveLength(1);
    });

    it('each of two equal waterings', async () => {
      const { call } = connection;
      const block = newBlock();
      [answers, questions] = [[DECLINE, DECLINE], []];
      for (let logged = 1; logged <= 2; logged++)
        bodyOf(await call('log_watering', block.watering));
      expect(questions).toHaveLength(2);
      expect(await dosesOf(call, block)).toEqual([[], [null, null]]);
    });
  },
);

describe.each(TRIED_CONNECTIONS)('over $transport in $revision, a client without forms', (kind) => {
  let connection: Connection;
  const requests: string[] = [];
  beforeAll(async () => {
    connection = await openConnection(service(), kind);
    connection.client.fallbackRequestHandler = async ({ method }) => {
      requests.push(method);
      return {};
    };
  });

  it.each(Object.keys(SUBJECTS) as SubjectName[])('is asked nothing about %s', async (subject) => {
    const { call } = connection;
    const block = newBlock();
    const { begin, before, withoutForms }: Subject = SUBJECTS[subject];
    const asking = await begin(call, block);
    await expectOutcome(await call(asking.tool, asking.args), asking, withoutForms, before);
    expect(requests).toEqual([]);
  });
});
