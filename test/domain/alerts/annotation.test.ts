import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AnnotationDrawing,
  pointsAtHeight,
  resolveAnnotationUnit,
  updateContent,
} from '../../../src/domain/alerts/annotation.ts';
import { findDrawingFault } from '../../../src/domain/alerts/drawing-faults.ts';
import {
  planLineAlertChanges,
  thresholdFillOf,
  thresholdLines,
  type WiltingPointLine,
} from '../../../src/domain/alerts/drawn-lines.ts';
import { formatPlainDecimal } from '../../../src/domain/decimal.ts';
import { failure, ok } from '../../../src/domain/result.ts';

const line = (more: Partial<AnnotationDrawing> = {}): AnnotationDrawing => ({
  chartType: 'humidity',
  shape: 'h-line',
  unit: 'vwc',
  p1: [0, 14],
  p2: null,
  content: { style: { fill: 'threshold2' } },
  ...more,
});

describe('a drawing', () => {
  it.each([
    ['humidity', undefined, ok('vwc')],
    ['humidity-detail', null, ok('vwc')],
    ['humidity', 'mm', ok('mm')],
    ['humidity-heatmap', undefined, ok(null)],
    ['tensio', 'vwc', failure('unit_elsewhere')],
  ] as const)('on %s, requested in %s, has %o', (chartType, requested, expected) => {
    expect(resolveAnnotationUnit(chartType, requested)).toEqual(expected);
  });

  it.each([
    ['h-line in vwc', line(), 'threshold2'],
    ['h-line in mm', line({ unit: 'mm' }), null],
    ['segment', line({ shape: 'segment' }), null],
    ['line without a style', line({ content: {} }), null],
    ['line of another fill', line({ content: { style: { fill: 'threshold3' } } }), null],
  ])('that is a %s is the threshold %s', (_, drawing, threshold) => {
    expect(thresholdFillOf(drawing as AnnotationDrawing)).toBe(threshold);
  });

  it.each([
    ['a threshold', line(), null],
    ['a threshold in mm', line({ unit: 'mm' }), 'threshold_unit'],
    [
      'a threshold that is a rectangle in mm',
      line({ unit: 'mm', shape: 'rect', p2: [1, 1] }),
      'threshold_unit',
    ],
    ['a threshold that is a text', line({ shape: 'text' }), 'threshold_shape'],
    ['a threshold at 101 %', line({ p1: [0, 101] }), 'threshold_height'],
    ['a line at 101 %', line({ p1: [0, 101], content: {} }), null],
    ['a ray of one point', line({ shape: 'ray', content: {} }), 'second_point_missing'],
  ])('that is %s has the fault %s', (_, drawing, fault) => {
    expect(findDrawingFault(drawing as AnnotationDrawing)).toBe(fault);
  });

  it('is a threshold on the summary curve only', () => {
    const drawings = [line(), line({ chartType: 'humidity-detail' }), line({ p1: [0, 20] })];
    expect(thresholdLines(drawings, 'threshold2')).toEqual([drawings[0], drawings[2]]);
  });

  it('keeps its instants at another height', () => {
    expect(pointsAtHeight({ p1: [5, 1], p2: [6, 2] }, 9)).toEqual({ p1: [5, 9], p2: [6, 9] });
    expect(pointsAtHeight({ p1: [5, 1], p2: null }, 9)).toEqual({ p1: [5, 9], p2: null });
  });

  it('keeps its content when nothing is sent, and is replaced by what is sent', () => {
    const current = { style: { fill: 'red' }, text: 'x' };
    expect(
      updateContent(current, { style: undefined, text: undefined, content: undefined }),
    ).toEqual(current);
    expect(updateContent(current, { text: 'y' })).toEqual({ text: 'y' });
    expect(updateContent(current, { content: {} })).toEqual({});
    expect(updateContent(current, { content: { text: 'a', style: { b: 1 } }, text: 'y' })).toEqual({
      text: 'y',
      style: { b: 1 },
    });
  });

  it('keeps what is not sent if it is asked to, and empties what is null', () => {
    const current = { style: { fill: 'red' }, text: 'x' };
    const keepsUnsent = true;
    expect(updateContent(current, { text: 'y', keepsUnsent })).toEqual({ ...current, text: 'y' });
    expect(updateContent(current, { style: null, keepsUnsent })).toEqual({ text: 'x' });
    expect(updateContent(current, { style: null })).toEqual({});
  });
});

interface Alert {
  threshold: number;
  isActive: boolean;
}

/** Applies the planned changes to the alerts by line; a line that was never the newest has none. */
function follow(
  alerts: Map<string, Alert>,
  before: readonly WiltingPointLine[],
  after: readonly WiltingPointLine[],
): void {
  const { disable, update, enable } = planLineAlertChanges(before, after);
  const change = (id: string, to: Partial<Alert>) => void Object.assign(alerts.get(id) ?? {}, to);
  for (const id of disable) change(id, { isActive: false });
  for (const { id, height } of update) change(id, { threshold: height });
  if (enable) alerts.set(enable.id, { threshold: enable.height, isActive: true });
}

describe('alerts of wilting-point lines', () => {
  /** Lines by age: null while a line is not a wilting-point line. */
  const changes = fc.array(
    fc.record({
      age: fc.nat(3),
      height: fc.option(fc.integer({ min: 5, max: 25 }), { nil: null }),
    }),
    { maxLength: 20 },
  );
  const linesOf = (heights: readonly (number | null)[]): WiltingPointLine[] =>
    heights.flatMap((height, age) => (height === null ? [] : [{ id: String(age), height }]));

  it('are enabled for the newest line only, at its height, through any changes', () => {
    fc.assert(
      fc.property(changes, (sequence) => {
        const alerts = new Map<string, Alert>();
        let heights: (number | null)[] = [null, null, null, null];
        for (const { age, height } of sequence) {
          const before = linesOf(heights);
          heights = heights.with(age, height);
          follow(alerts, before, linesOf(heights));
          const newest = linesOf(heights).at(-1);
          const active = [...alerts].filter(([, { isActive }]) => isActive);
          expect(active).toEqual(
            newest ? [[newest.id, { threshold: newest.height, isActive: true }]] : [],
          );
        }
      }),
    );
  });

  it('do not change while the lines do not', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(30), { nil: null })), (heights) => {
        const unchanged = { disable: [], update: [], enable: null };
        expect(planLineAlertChanges(linesOf(heights), linesOf(heights))).toEqual(unchanged);
      }),
    );
  });
});

describe('a threshold as text', () => {
  it.each([
    [14, '14'],
    [14.25, '14.25'],
    [0, '0'],
    [1e-7, '0.0000001'],
    [1.25e-9, '0.00000000125'],
    [-2.5e-8, '-0.000000025'],
    [1e21, '1000000000000000000000'],
    [1.5e21, '1500000000000000000000'],
  ])('%s is %s', (value, text) => {
    expect(formatPlainDecimal(value)).toBe(text);
  });

  it('has no exponent and parses to the same number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = formatPlainDecimal(value);
        expect(text).toMatch(/^-?\d+(\.\d+)?$/);
        expect(Number(text)).toBe(value === 0 ? 0 : value);
      }),
    );
  });
});
