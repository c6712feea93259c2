import { describe, expect, it } from 'vitest';
import { wateringSentences } from '../../../src/language/irrigation/watering-advisories.ts';
import { FARM_NOW, HOUR, MINUTE } from '../../farm.ts';
import { renderAnswer, renderText } from '../render-text.ts';

const {
  waterings_by_status: byStatus,
  waterings_due: due,
  waterings_ahead: ahead,
  overlapping_watering: overlapping,
  run_time_contradicts: contradicts,
  balance_assumes: assumes,
  needs_confirmation: needsConfirmation,
} = wateringSentences;

describe('waterings in all', () => {
  const counts = [
    { status: 'done', count: 3 },
    { status: 'planned', count: 4 },
  ] as const;

  it.each([
    ['7 in all: 3 done, 4 planned.', 0],
    ['7 in all: 3 done, 4 planned (1 awaits confirmation).', 1],
    ['7 in all: 3 done, 4 planned (2 await confirmation).', 2],
  ])('are %j', (sentence, toConfirm) =>
    expect(
      renderText(byStatus({ kind: 'waterings_by_status', counts: [...counts], toConfirm })),
    ).toBe(sentence),
  );

  it('are due, or ahead', () => {
    expect(renderText(due({ kind: 'waterings_due', count: 1 }))).toMatch(
      /^1 past watering of automatic schedules counts as done, and is still stored as planned:/,
    );
    expect(renderText(due({ kind: 'waterings_due', count: 2 }))).toMatch(
      /^2 past waterings of automatic schedules count as done, and are still stored/,
    );
    const next = { kind: 'waterings_ahead', count: 3, nextAt: FARM_NOW + 24 * HOUR } as const;
    expect(renderAnswer(ahead({ ...next, probe: 'log_watering' }))).toEqual({
      summary: '3 planned ahead, the next tomorrow 12:00 on log_watering.',
      next: ['this call again with status: planned'],
    });
  });

  it('wait for a person', () =>
    expect(renderAnswer(needsConfirmation({ kind: 'needs_confirmation' }))).toEqual({
      summary: 'It no longer counts as done by itself: confirm it once it has run.',
      next: ['correct_watering(status: done)'],
    }));
});

describe('a watering that overlaps another', () => {
  const overlap = {
    kind: 'overlapping_watering',
    id: 2,
    other: {
      id: 1,
      startedAt: FARM_NOW + HOUR,
      endedAt: FARM_NOW + HOUR + 45 * MINUTE,
      status: 'planned',
    },
    probe: 'North 1',
    others: 0,
    probes: 1,
    onEachProbe: true,
  } as const;
  const START = 'It overlaps another watering of North 1 (today 13:00 to 13:45, planned)';

  it.each([
    [`${START}. If they are the same water, cancel one of them.`, {}],
    [
      `${START}, and 1 more overlaps. If they are the same water, cancel one of them.`,
      { others: 1 },
    ],
    [
      `${START}, and 2 more overlap. If they are the same water, cancel one of them.`,
      { others: 2 },
    ],
    [`${START}. If they are the same water, take this entry back.`, { probes: 2 }],
    [
      `${START}. If they are the same water, cancel one of them.`,
      { probes: 2, onEachProbe: false },
    ],
  ])('is %j', (sentence, fields) =>
    expect(renderText(overlapping({ ...overlap, ...fields }))).toBe(sentence),
  );

  it('is cancelled, or taken back', () => {
    expect(renderAnswer(overlapping(overlap)).next).toEqual([
      'correct_watering(eventId: 2 or 1, status: skipped)',
    ]);
    expect(renderAnswer(overlapping({ ...overlap, probes: 2 })).next).toEqual(['undo']);
  });
});

describe('a run time that gives another amount', () => {
  const run = {
    kind: 'run_time_contradicts',
    amount: { mode: 'volume_m3', value: 48.04 },
    durationMin: 120,
    waterMm: 3.203,
    runMm: 6.406,
    runM3: 96.08,
    probe: 'North 1',
    others: 0,
  } as const;
  const START = 'The run time does not match: by the equipment of North 1, 2 h give';

  it.each([
    [`${START} 6.4 mm (96.1 m3), but 48 m3 are 3.2 mm, which is recorded. Ask which is right.`, {}],
    [
      `${START} 6.4 mm, but 48 m3 are 3.2 mm, which is recorded. Ask which is right.`,
      { runM3: null },
    ],
    [
      `${START} 6.4 mm (96.1 m3), but 10 mm are recorded. Ask which is right.`,
      { amount: { mode: 'depth_mm', value: 10 } as const },
    ],
    [
      `${START} 6.4 mm (96.1 m3), but 48 m3 are 3.2 mm, which is recorded. Ask which is right. The same holds for 2 other probes.`,
      { others: 2 },
    ],
  ])('is %j', (sentence, fields) =>
    expect(renderText(contradicts({ ...run, ...fields }))).toBe(sentence),
  );

  // 6.406 mm are 0.2522 in, 96.08 m3 are 25,382 gal.
  it('has US units', () =>
    expect(renderText(contradicts(run), 'us')).toBe(
      `${START} 0.25 in (6.4 mm) (25,400 gal [96.1 m3]), but 12,700 gal (48 m3) are 0.13 in (3.2 mm), which is recorded. Ask which is right.`,
    ));
});

describe('a balance that counts what nobody saw', () => {
  it.each([
    [
      1,
      'Of its water 24 mm over the whole area (1 watering) is assumed: without it its root zone would lack 41 mm, so ask whether it ran.',
    ],
    [
      2,
      'Of its water 24 mm over the whole area (2 waterings) are assumed: without them its root zone would lack 41 mm, so ask whether they ran.',
    ],
  ])('of %i', (waterings, sentence) =>
    expect(
      renderText(assumes({ kind: 'balance_assumes', waterings, waterMm: 24.04, deficitMm: 41.4 })),
    ).toBe(sentence),
  );
});
