import { describe, expect, it } from 'vitest';
import {
  describeOtherProbes,
  describeWateringChanges,
  summarizeWateringCorrection,
} from '../../../src/language/irrigation/correction-summary.ts';
import type { Advisory } from '../../../src/schema/advisory.ts';
import type { WateringAnswer, WateringBody } from '../../../src/schema/irrigation/watering.ts';
import { DAY, FARM_NOW, HOUR, iso } from '../../farm.ts';
import { renderAnswer, renderText } from '../render-text.ts';
import { answerOf, farm } from './waterings.ts';

type Changes = Extract<Advisory, { kind: 'watering_corrected' }>;

const NO_CHANGE: Changes = {
  kind: 'watering_corrected',
  start: null,
  amount: null,
  durationMin: null,
  dose: null,
  isOtherEquipment: false,
  status: null,
  isConfirmed: false,
  remarks: [],
};

const AT = FARM_NOW - 6 * HOUR;
const start = (before: number) => ({ start: { from: AT - before, to: AT } });
const minutes = (value: number) => ({ mode: 'duration', value }) as const;
const mm = (value: number) => ({ mode: 'depth_mm', value }) as const;
const m3 = (value: number) => ({ mode: 'volume_m3', value }) as const;
const dose = (from: number | null, to: number | null, toWetted: number | null = null) => ({
  dose: {
    from: { waterMm: from, waterMmWetted: null },
    to: { waterMm: to, waterMmWetted: toWetted },
  },
});
const note = { remarks: [{ field: 'note', change: 'added' } as const] };

const HEAD = 'The watering on Row 1, today 06:00 to 06:45 (Europe/Paris)';
const DOSE = 'The dose is 21.5 mm over the whole area.';

const corrected = (
  changes: Partial<Changes>,
  event: Partial<WateringBody> = {},
  warnings: WateringAnswer['warnings'] = [],
) =>
  summarizeWateringCorrection(answerOf(event, warnings), farm, {}, [{ ...NO_CHANGE, ...changes }]);

describe('a correction', () => {
  it.each<[string, Partial<Changes>]>([
    [`nothing changed. ${DOSE}`, {}],
    ['note added.', note],
    [`moved from 05:00 to 06:00. ${DOSE}`, start(HOUR)],
    [`moved from yesterday 06:00 to today 06:00. ${DOSE}`, start(DAY)],
    [
      'moved from 05:00 to 06:00; 45 min in place of 30 min; 21.5 mm in place of 14 mm; note added.',
      {
        ...start(HOUR),
        amount: { from: minutes(30), to: minutes(45) },
        durationMin: { from: 30, to: 45 },
        ...dose(14, 21.46),
        ...note,
      },
    ],
    [
      '4 m3 in place of 30 min; no dose in place of 6 mm.',
      { amount: { from: minutes(30), to: m3(4) }, ...dose(6, null) },
    ],
    ['7 mm in place of 4 m3.', { amount: { from: m3(4), to: mm(7) }, ...dose(null, 7) }],
    ['6 mm, it had no dose; 17.1 mm in the wetted zone.', dose(null, 6, 17.14)],
    [`run time 45 min. ${DOSE}`, { durationMin: { from: null, to: 45 } }],
    [`without a run time. ${DOSE}`, { durationMin: { from: 30, to: null } }],
    [`confirmed. ${DOSE}`, { isConfirmed: true }],
    [`confirmed. ${DOSE}`, { status: { from: 'planned', to: 'done' } }],
    [`counts again. ${DOSE}`, { status: { from: 'skipped', to: 'done' } }],
    [`planned, no longer done. ${DOSE}`, { status: { from: 'done', to: 'planned' } }],
    [`planned again. ${DOSE}`, { status: { from: 'skipped', to: 'planned' } }],
    [
      '9 mm in place of 6 mm. Other equipment was in place at that time than was recorded.',
      { ...dose(6, 9), isOtherEquipment: true },
    ],
  ])('names what changed: %s', async (what, changes) =>
    expect(renderText(await corrected(changes))).toBe(`${HEAD}: ${what}`),
  );

  it('has US units', async () =>
    expect(
      renderText(
        await corrected({ amount: { from: mm(14.03), to: mm(21.46) }, ...dose(14, 21.46, 61.314) }),
        'us',
      ),
    ).toBe(
      `${HEAD}: 0.84 in (21.5 mm) in place of 0.55 in (14 mm); 2.41 in (61.3 mm) in the wetted zone.`,
    ));

  it('says what a new dose lacks', async () => {
    const { summary, next } = renderAnswer(
      await corrected(dose(6, null), { waterMm: null }, ['MISSING_FLOW_RATE']),
    );
    expect(summary).toBe(
      `${HEAD}: no dose in place of 6 mm. The equipment has no application rate, so its minutes give no dose: ask for it and add it.`,
    );
    expect(next).toEqual(['correct_installation(flowMmPerH)']);
  });

  it.each([
    ['planned', iso(FARM_NOW + DAY)],
    ['done', iso(AT)],
  ])('says how one that stays cancelled becomes %s', async (status, startedAt) => {
    const { summary, next } = renderAnswer(
      await corrected({ amount: { from: mm(6), to: mm(7) } }, { status: 'skipped', startedAt }),
    );
    expect(summary).toMatch(
      /: 7 mm in place of 6 mm\. It is still cancelled and does not count\.$/,
    );
    expect(next).toEqual([`correct_watering(status: ${status})`]);
  });

  it('says nothing more of one that was cancelled', async () =>
    expect(
      renderText(
        await corrected({ status: { from: 'done', to: 'skipped' } }, { status: 'skipped' }),
      ),
    ).toBe(`${HEAD}: cancelled.`));

  it('is the watering itself, if a service does not send what changed', async () =>
    expect(renderText(await summarizeWateringCorrection(answerOf({}), farm, {}, []))).toBe(
      'The watering is now done: 45 min of drip on Row 1, today 06:00 to 06:45 (Europe/Paris): 21.5 mm over the whole area.',
    ));

  it('is a sentence of its own beside a body that shows the watering', () => {
    expect(renderText(describeWateringChanges(NO_CHANGE))).toBe('Nothing changed.');
    expect(
      renderText(describeWateringChanges({ ...NO_CHANGE, ...note, isOtherEquipment: true })),
    ).toBe('Note added. Other equipment was in place at that time than was recorded.');
  });
});

describe('the other probes of a parcel', () => {
  const other = { startedAt: null, durationMin: null, status: null, waterMm: null };
  const waterings = [
    { ...other, id: 2, probe: 'Row 2', amount: m3(48) },
    { ...other, id: 3, probe: 'Row 3 (50 mm)', amount: null },
  ];

  it('keep what they had', () => {
    const { summary, next } = renderAnswer(
      describeOtherProbes({ kind: 'other_probes_unchanged', waterings, others: 2 }),
    );
    expect(summary).toBe(
      'This is one probe of a watering of the whole parcel; the others keep what they had: Row 2 (48 m3), "Row 3 (50 mm)" and 2 more. Correct them too if the change is for the parcel.',
    );
    expect(next).toEqual(['this call again with eventId: 2', 'this call again with eventId: 3']);
  });

  it('have US units, their names not', () => {
    const values = { startedAt: AT, durationMin: 90, status: 'done', waterMm: 3 } as const;
    const [row, named] = waterings;
    const text = describeOtherProbes({
      kind: 'other_probes_unchanged',
      waterings: [{ ...row!, ...values }, named!],
      others: 0,
    });
    expect(renderText(text, 'us')).toContain(
      ': Row 2 (12,700 gal [48 m3], today 06:00, 1 h 30 min, done, 0.12 in [3 mm]) and "Row 3 (50 mm)".',
    );
  });
});
