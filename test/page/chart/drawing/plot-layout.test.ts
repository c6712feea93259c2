import { isValidElement, type VNode } from 'preact';
import { expect, it } from 'vitest';
import { DAY_MS } from '../../../../src/domain/periods.ts';
import { chartTexts } from '../../../../src/page/chart/chart-texts.ts';
import { drawnRangeFor, drawnX, labelX } from '../../../../src/page/chart/drawing/plot-layout.ts';
import { ReadoutPanel } from '../../../../src/page/chart/drawing/readout-panel.tsx';

const VIEW = { start: 0, end: 7 * DAY_MS };
const SIZE = 13;

it.each([
  ['on day -0.1', -0.1, null],
  ['on day 0', 0, 'moved right'],
  ['on day 3', 3, 'in place'],
  ['on day 6.9', 6.9, 'moved left'],
  ['on day 7.1', 7.1, null],
])('a label centred %s of a week shows as a whole', (_, day, expected) => {
  const drawn = drawnRangeFor(VIEW, 260);
  const x = drawnX(day * DAY_MS, drawn);
  const labelCentre = labelX({ label: '17 Nov', x, size: SIZE }, drawn, VIEW);
  if (expected === null) expect(labelCentre).toBeNull();
  else {
    expect(Math.sign(labelCentre! - x)).toBe(
      { 'moved right': 1, 'in place': 0, 'moved left': -1 }[expected],
    );
    expect(labelCentre!).toBeGreaterThan(drawnX(VIEW.start, drawn) + 23);
    expect(labelCentre!).toBeLessThan(drawnX(VIEW.end, drawn) - 23);
  }
});

/** The keys of the elements in each list of a rendered element. */
const keyLists = ({ props }: VNode<{ children?: unknown }>): unknown[][] => {
  const children = [props.children].flat();
  const lists = children
    .filter((child) => Array.isArray(child))
    .map((list) => list.map((each) => each.key));
  return [
    ...lists,
    ...children.flat().flatMap((child) => (isValidElement(child) ? keyLists(child) : [])),
  ];
};

it('two sensors at one depth and two waterings of one dose are told apart', () => {
  const depth = { name: '20 cm', value: '24 %', colour: '#000' };
  const readout = {
    time: '',
    value: null,
    depths: [depth, depth],
    water: ['watering 5 mm', 'watering 5 mm'],
  };
  const texts = chartTexts({ lang: 'en', units: 'metric' }, 'Europe/Paris', 0, 'humidity');
  const sensor = { id: 1, depth: 20 };
  const curve = { type: null, intervalMs: 1, sensors: [sensor, sensor], points: [] };
  const props = { readout, texts, curve, showsDepths: false, onDepths: () => undefined };
  const lists = keyLists(ReadoutPanel(props) as VNode<{ children?: unknown }>);
  expect(lists.map((keys) => [keys.length, new Set(keys).size])).toEqual([
    [2, 2],
    [2, 2],
  ]);
});
