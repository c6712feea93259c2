import { describe, expect, it } from 'vitest';
import type { Text } from '../../../src/domain/text/text.ts';
import type { AdvisoryOf } from '../../../src/language/advisory-sentences.ts';
import type { WithEffects } from '../../../src/language/changes/change-effects.ts';
import {
  describeBegunWaterings,
  describeChangeSince,
  describeUndone,
  describeWithheldRows,
  summarizeChanges,
  summarizeUndo,
} from '../../../src/language/changes/change-summary.ts';
import type { ChangeBody } from '../../../src/schema/changes/change.ts';
import { FARM_NOW, HOUR, iso } from '../../farm.ts';
import { contextOf, MODULE } from '../context.ts';
import { renderAnswer, renderText } from '../render-text.ts';

const context = contextOf({
  modules: [MODULE],
  parcels: [{ id: 1, name: 'North block' }],
});

type Row = WithEffects['effects']['rows'][number];

const changed = (
  before: Row['before'],
  after: Row['after'],
  kind: Row['kind'] = 'watering',
): WithEffects => ({
  effects: { counts: { [`${kind} changed`]: 1 }, rows: [{ kind, id: '12', before, after }] },
});

describe('what changed since', () => {
  it.each<[string, string, WithEffects]>([
    [
      '1 watering changed, 40 min in place of 30 min',
      '1 watering changed, 40 min in place of 30 min',
      changed({ durationMin: 30 }, { durationMin: 40 }),
    ],
    [
      '1 watering changed, skipped in place of done, today 11:00 in place of today 12:00',
      '1 watering changed, skipped in place of done, today 11:00 in place of today 12:00',
      changed(
        { status: 'done', startedAt: iso(FARM_NOW) },
        { status: 'skipped', startedAt: iso(FARM_NOW - HOUR) },
      ),
    ],
    [
      '1 watering changed, 12 mm in place of none, none in place of 40 m3',
      '1 watering changed, 0.47 in (12 mm) in place of none, none in place of 10,600 gal (40 m3)',
      changed({ inputVolumeM3: 40 }, { inputDepthMm: 12, inputVolumeM3: null }),
    ],
    [
      '1 watering changed, 21.5 mm in place of 12.5 mm',
      '1 watering changed, 0.84 in (21.5 mm) in place of 0.49 in (12.5 mm)',
      changed({ inputDepthMm: 12.5 }, { inputDepthMm: 21.46 }),
    ],
    [
      '1 rain record changed, 21.5 mm in place of 12 mm',
      '1 rain record changed, 0.84 in (21.5 mm) in place of 0.47 in (12 mm)',
      changed({ mm: 12 }, { mm: 21.46 }, 'rain'),
    ],
    [
      '1 schedule changed, Dawn in place of 12 mm, 05:00 and 18:00 in place of 06:00, stopped in place of active',
      '1 schedule changed, Dawn in place of 12 mm, 05:00 and 18:00 in place of 06:00, stopped in place of active',
      changed(
        { label: '12 mm', startTimes: ['06:00'], isActive: true },
        { label: 'Dawn', startTimes: ['05:00', '18:00'], isActive: false },
        'schedule',
      ),
    ],
    [
      '1 alert changed, 21.2 % in place of 20 %',
      '1 alert changed, 21.2 % in place of 20 %',
      changed({ threshold: '20' }, { threshold: '21.24' }, 'alert'),
    ],
    [
      '1 setup changed, drip in place of sprinkler, 4.2 mm/h in place of none, 2 L/h in place of 4 L/h, 1200 m2 in place of none',
      '1 setup changed, drip in place of sprinkler, 0.17 in/h (4.2 mm/h) in place of none, 0.53 gph (2 L/h) in place of 1.06 gph (4 L/h), 0.297 acres (1200 m2) in place of none',
      changed(
        { system: 'sprinkler', emitterFlowLph: 4 },
        { system: 'drip', flowMmPerH: 4.2, emitterFlowLph: 2, irrigatedAreaM2: 1200 },
        'installation',
      ),
    ],
    [
      '1 version of settings changed, root depth 60 in place of 40',
      '1 version of settings changed, root depth 60 in place of 40',
      changed({ rootDepthCm: 40 }, { rootDepthCm: 60 }, 'settings'),
    ],
    [
      '1 watering changed, note added',
      '1 watering changed, note added',
      changed({ note: null }, { note: 'wind' }),
    ],
    ['readings imported', 'readings imported', { effects: { counts: {}, rows: [] } }],
  ])('is %j', (metric, us, change) => {
    expect(renderText(describeChangeSince(change))).toBe(`This was changed since: ${metric}.`);
    expect(renderText(describeChangeSince(change), 'us')).toBe(`This was changed since: ${us}.`);
  });
});

const CHANGE: ChangeBody = {
  id: 41,
  at: iso(FARM_NOW - HOUR),
  operation: 'log_watering',
  surface: 'mcp',
  userName: 'Ana',
  undoes: null,
  undoneBy: null,
  effects: {
    counts: { 'watering added': 1 },
    rows: [
      {
        kind: 'watering',
        id: '12',
        before: null,
        after: { moduleId: 1, startedAt: iso(FARM_NOW - 2 * HOUR) },
      },
    ],
  },
};

describe('the list of changes', () => {
  const listed = async (...data: ChangeBody[]) =>
    renderText(await summarizeChanges({ data }, context));

  it('has who, how and what, newest first, at most three', async () => {
    expect(await listed()).toBe('Nothing was changed yet.');
    for (const filter of [{ moduleId: 1 }, { from: FARM_NOW }, { to: FARM_NOW }])
      expect(renderText(await summarizeChanges({ data: [] }, context, filter))).toBe(
        'No change matches.',
      );
    expect(await listed(CHANGE)).toBe(
      'The newest changes: today 11:00 by Ana, by chat or command: 1 watering added (North 1, today 10:00).',
    );
    const others = [2, 3, 4].map((id) => ({
      ...CHANGE,
      id,
      userName: null,
      undoes: 1,
      undoneBy: 5,
    }));
    expect(await listed(...others)).toBe(
      `The newest changes: ${Array(3).fill('today 11:00, by chat or command: 1 watering added (North 1, today 10:00), by an undo, undone since').join('; ')}.`,
    );
  });
});

describe('an undo', () => {
  it('puts back what was removed or changed, and removes what was added', async () => {
    const undone = { ...CHANGE, effects: { ...CHANGE.effects } };
    expect(renderText(await summarizeUndo({ undone }, context))).toBe(
      'Undone: 1 watering removed (North 1, today 10:00). It was entered today 11:00 (Europe/Paris).',
    );
    const counts = { 'alert removed': 1, 'alert changed': 1, 'planned_watering added': 90 };
    expect(
      renderText(
        await summarizeUndo({ undone: { ...undone, effects: { counts, rows: [] } } }, context),
      ),
    ).toMatch(/^Undone: 2 alerts put back, 90 planned waterings removed\. /);
  });

  const BEGUN: AdvisoryOf<'begun_waterings_kept'> = {
    kind: 'begun_waterings_kept',
    waterings: [],
    count: 1,
    isScheduleKept: false,
  };

  it.each<[string, Text]>([
    ['1 watering had begun and stays.', describeBegunWaterings(BEGUN)],
    [
      '3 waterings had begun and stay: North 1, today 11:00; today 12:00; and 1 more. The schedule stays with that, stopped.',
      describeBegunWaterings({
        ...BEGUN,
        waterings: [
          { id: 1, probe: 'North 1', startedAt: FARM_NOW - HOUR },
          { id: 2, probe: null, startedAt: FARM_NOW },
        ],
        count: 3,
        isScheduleKept: true,
      }),
    ],
  ])('leaves waterings that had begun: %j', (sentence, text) =>
    expect(renderText(text)).toBe(sentence),
  );

  it.each([
    ['This was undone since: nothing of it is stored.', 0, false],
    ['This change was undone since: what it changed stands as before.', 0, true],
    [
      'This was undone since, but 2 waterings had begun and stay. The schedule stays with that, stopped.',
      2,
      false,
    ],
  ])('that came since says %j', (sentence, keptWaterings, isOfStored) => {
    const undone = { kind: 'undone_since', changeId: 5, isScheduleKept: true } as const;
    expect(renderAnswer(describeUndone({ ...undone, keptWaterings, isOfStored }))).toEqual({
      summary: sentence,
      next: ['this call again with idempotencyKey: a new one, to enter it anew'],
    });
  });
});

it('says with which key withheld values are shown', () =>
  expect(
    renderAnswer(
      describeWithheldRows({
        kind: 'rows_withheld',
        scopes: ['annotations:read', 'readings:read'],
      }),
    ),
  ).toEqual({
    summary: 'Some changed values are not shown, because your key does not allow to read them.',
    next: ['a key with annotations:read and readings:read shows them'],
  }));
