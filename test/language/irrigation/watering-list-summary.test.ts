import { describe, expect, it } from 'vitest';
import { summarizeWaterings } from '../../../src/language/irrigation/watering-list-summary.ts';
import type {
  WateringBody,
  WateringListOrder,
  WateringTotalsBody,
  WateringWitnessBody,
} from '../../../src/schema/irrigation/watering.ts';
import { DAY, FARM_NOW, iso } from '../../farm.ts';
import { renderAnswer, renderText } from '../render-text.ts';
import { farm, watering } from './waterings.ts';

type Page = Partial<Parameters<typeof summarizeWaterings>[0]>;

const listed = (page: Page, order: Partial<WateringListOrder> = {}) =>
  summarizeWaterings({ data: [watering()], next_cursor: null, ...page }, farm, {
    order: 'newest_first',
    ...order,
  });

const FIRST = 'today 06:00 (Europe/Paris) on Row 1, 21.5 mm over the whole area';

describe('a list of waterings', () => {
  it.each<[string, Page, Partial<WateringListOrder>]>([
    ['No watering matches.', { data: [] }, {}],
    ['No past watering matches.', { data: [] }, { order: 'past_first' }],
    ['No watering matches.', { data: [] }, { order: 'past_first', status: 'done' }],
    [`1 watering shown, newest first: ${FIRST}.`, {}, { order: 'past_first' }],
    [`2 waterings shown, newest first: ${FIRST}.`, { data: [watering(), watering({ id: 2 })] }, {}],
  ])('is %j', async (sentence, page, order) =>
    expect(renderText(await listed(page, order))).toBe(sentence),
  );

  it.each<[string, Partial<WateringBody>, WateringWitnessBody['witness'] | null]>([
    [' (skipped)', { status: 'skipped' }, null],
    [' (awaits confirmation)', { status: 'planned' }, null],
    [' (planned)', { status: 'planned', startedAt: iso(FARM_NOW + DAY), endedAt: null }, null],
    [' (assumed)', { status: 'planned' }, 'assumed'],
    ['', {}, 'confirmed'],
  ])('says of the first%s', async (note, fields, witness) => {
    const data = [watering(fields)];
    const rows = witness === null ? [] : [{ eventId: 1, witness }];
    expect(renderText(await listed({ data, witness: rows }))).toMatch(
      new RegExp(`over the whole area${note.replace(/[()]/g, '\\$&')}\\.$`),
    );
  });

  it('begins with the nearest where it is ahead', async () => {
    const data = [watering({ startedAt: iso(FARM_NOW + DAY), status: 'planned' })];
    expect(renderText(await listed({ data }, { order: 'past_first', status: 'planned' }))).toMatch(
      /^1 watering shown, nearest first: tomorrow 12:00/,
    );
  });

  it('names the probes that showed nothing', async () => {
    const witness = [{ eventId: 1, witness: 'confirmed', unseen: 'no_rise' } as const];
    expect(renderText(await listed({ witness }))).toMatch(
      / Row 1 shows no rise after 1 watering that somebody saw: check its valve and its sensors\.$/,
    );
  });
});

const DONE: WateringTotalsBody['done'] = {
  waterings: 5,
  irrigations: 5,
  withoutDose: 0,
  waterMm: 107.3,
  waterMmWetted: null,
  hours: 3.75,
  withoutDuration: 0,
  volumeM3: 107.3,
  withoutVolume: 0,
  modules: 1,
};

const row = (moduleId: number, waterMm: number | null) => ({
  moduleId,
  waterings: 1,
  withoutDose: waterMm === null ? 1 : 0,
  waterMm,
  waterMmWetted: null,
});

const totals = (
  done: Partial<WateringTotalsBody['done']> = {},
  fields: Partial<WateringTotalsBody> = {},
): WateringTotalsBody => ({
  done: { ...DONE, ...done },
  planned: DONE,
  skipped: 0,
  byModule: [row(1, 107.3)],
  ...fields,
});

const totalsSaid = async (sums: WateringTotalsBody, units?: 'us'): Promise<string> =>
  renderText(await listed({ totals: sums }), units).split(
    /whole area\. |mm\) over the whole area\. /,
  )[1] ?? '';

describe('the totals of waterings', () => {
  it.each<[string, WateringTotalsBody]>([
    [
      'In total Row 1 received 107 mm over the whole area (5 waterings, 3 h 45 min, 107 m3).',
      totals(),
    ],
    [
      'In total Row 1 received 107 mm over the whole area, 307 mm in the wetted zone (5 waterings).',
      totals({ waterMmWetted: 306.6, hours: null, volumeM3: null }),
    ],
    [
      'In total Row 1 received 107 mm over the whole area (5 waterings). 1 of those done has no dose, so more was given.',
      totals({ withoutDose: 1, withoutDuration: 1, withoutVolume: 1 }),
    ],
    [
      'On average each of the 2 probes received 107 mm over the whole area (3 waterings, a parcel watered at once counted once, 3 h 45 min, 107 m3): Row 1 100 mm, Row 2 115 mm.',
      totals({ modules: 2, irrigations: 3 }, { byModule: [row(1, 100), row(2, 114.6)] }),
    ],
    [
      'The only one of the 2 probes with a dose received 107 mm over the whole area (on the 2 probes: 5 waterings, 3 h 45 min, 107 m3): Row 1 107 mm, Row 2 no dose. 2 of those done have no dose, so more was given.',
      totals({ modules: 2, withoutDose: 2 }, { byModule: [row(1, 107.3), row(2, null)] }),
    ],
    [
      'On average each of the 2 probes with a dose received 107 mm over the whole area (on the 3 probes: 5 waterings, 3 h 45 min, 107 m3): Row 1 107 mm, Row 2 107 mm, Row 3 no dose. 1 of those done has no dose, so more was given.',
      totals(
        { modules: 3, withoutDose: 1 },
        { byModule: [row(1, 107.3), row(2, 107.3), row(3, null)] },
      ),
    ],
    [
      'On average each probe with a dose received 107 mm over the whole area (on the 9 probes: 5 waterings, 3 h 45 min, 107 m3). 1 of those done has no dose, so more was given.',
      totals({ modules: 9, withoutDose: 1 }, { byModule: [] }),
    ],
    [
      'In total Row 1 counts as having received 107 mm over the whole area (5 waterings, 3 h 45 min, 107 m3). Of that, 86 mm confirmed, 21 mm assumed: nobody saw those, so ask whether they ran.',
      totals(
        {},
        {
          witness: [
            { witness: 'confirmed', waterings: 4, waterMm: 85.84 },
            { witness: 'assumed', waterings: 1, waterMm: 21.46 },
          ],
        },
      ),
    ],
    [
      'Of the 5 waterings done, 4 confirmed, 1 assumed: nobody saw those, so ask whether they ran. 5 of those done have no dose, so more was given.',
      totals(
        { waterMm: null, withoutDose: 5 },
        {
          witness: [
            { witness: 'confirmed', waterings: 4, waterMm: null },
            { witness: 'assumed', waterings: 1, waterMm: null },
          ],
        },
      ),
    ],
    ['', totals({ waterings: 1 })],
  ])('are %j', async (sentence, sums) => expect(await totalsSaid(sums)).toBe(sentence));

  // 107.3 mm are 4.224 in, 107.3 m3 are 28,346 gal.
  it('have US units', async () =>
    expect(renderText(await listed({ totals: totals() }), 'us')).toContain(
      'received 4.22 in (107 mm) over the whole area (5 waterings, 3 h 45 min, 28,300 gal [107 m3]).',
    ));

  it('say the call that confirms', async () => {
    const witness = [{ witness: 'assumed', waterings: 5, waterMm: 107.3 } as const];
    expect(renderAnswer(await listed({ totals: totals({}, { witness }) })).next).toEqual([
      'correct_watering(status: done or skipped)',
    ]);
  });
});
