import { describe, expect, it } from 'vitest';
import { list, say } from '../../../src/domain/text/say.ts';
import {
  describeSubjects,
  mainEffects,
  reversedEffects,
  type WithEffects,
} from '../../../src/language/changes/change-effects.ts';
import { FARM_NOW, HOUR, iso } from '../../farm.ts';
import { contextOf, MODULE } from '../context.ts';
import { renderText } from '../render-text.ts';

const context = contextOf({
  modules: [1, 2, 3, 4].map((id) => ({ ...MODULE, id, name: `North ${id}` })),
  parcels: [{ id: 1, name: 'North block' }],
});

type Row = WithEffects['effects']['rows'][number];

const row = (kind: Row['kind'], before: Row['before'], after: Row['after'] = null): Row => ({
  kind,
  id: '1',
  before,
  after,
});

const change = (
  counts: WithEffects['effects']['counts'],
  ...rows: WithEffects['effects']['rows']
): WithEffects => ({ effects: { counts, rows } });

const START = iso(FARM_NOW - 2 * HOUR);

describe('what a change concerns', () => {
  it.each<[string, WithEffects]>([
    ['', change({})],
    [
      'North 1 and today 10:00',
      change({ 'watering added': 1 }, row('watering', null, { moduleId: 1, startedAt: START })),
    ],
    [
      'North 1',
      change({ 'watering added': 2 }, row('watering', null, { moduleId: 1, startedAt: START })),
    ],
    [
      'North 2 and North block',
      change({ 'schedule changed': 1 }, row('schedule', { targetModuleId: 2, targetParcelId: 1 })),
    ],
    [
      'North 1, North 2 and North 3',
      change({ 'alert removed': 4 }, ...[1, 2, 3, 4].map((moduleId) => row('alert', { moduleId }))),
    ],
    // A probe that is gone has no name.
    ['', change({ 'alert removed': 1 }, row('alert', { moduleId: 99 }))],
    [
      '12 mm and Vines',
      change(
        { 'parcel removed': 2 },
        row('parcel', { name: '12 mm' }),
        row('parcel', { name: 'Vines' }),
        row('alert', { moduleId: 1 }),
      ),
    ],
    ['Oak', change({ 'module changed': 1 }, row('module', { name: 'Elm' }, { name: 'Oak' }))],
  ])('is %j', async (subjects, effects) => {
    const texts = await describeSubjects(effects, context);
    expect(texts.length === 0 ? '' : renderText(say`${list(texts)}`)).toBe(subjects);
  });

  it('has no names that the caller may not read', async () => {
    const missingScopes = { modules: 'readings:read', parcels: 'parcels:read' } as const;
    const directory = { ...context.directory, missingScopes };
    const alert = change({ 'alert removed': 1 }, row('alert', { moduleId: 1, parcelId: 1 }));
    expect(await describeSubjects(alert, { ...context, directory })).toEqual([]);
  });
});

describe('the effects of a change', () => {
  it.each<[readonly string[], WithEffects]>([
    [['1 alert added'], change({ 'alert added': 1, 'alert_recipient added': 3 })],
    [['2 module added'], change({ 'module added': 2, 'sensor added': 6 })],
    [['6 sensor added'], change({ 'sensor added': 6 })],
  ])('leave out what comes and goes with something else: %j', (effects, each) =>
    expect(
      mainEffects(each).map(({ count, kind, action }) => `${count} ${kind} ${action}`),
    ).toEqual(effects),
  );

  it('are reversed by an undo', () =>
    expect(
      reversedEffects(
        change({ 'alert removed': 1, 'alert changed': 1, 'planned_watering added': 90 }),
      ),
    ).toEqual([
      { kind: 'alert', action: 'restored', count: 2 },
      { kind: 'planned_watering', action: 'removed', count: 90 },
    ]));
});
