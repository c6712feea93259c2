import { describe, expect, it } from 'vitest';
import { canDraw } from '../../src/chart/font.ts';
import { toSvg } from '../../src/chart/picture.ts';
import type { Mark } from '../../src/chart/scene.ts';
import { LANGS } from '../../src/domain/lang.ts';
import { languageOf } from '../../src/language/index.ts';

const svgOf = (...marks: Mark[]) =>
  toSvg({ width: 20, height: 10, background: '#fff', fontFamily: 'Sans', marks }).replace(
    /^.*?<rect [^>]*>|<.svg>$/g,
    '',
  );

it('writes a document of the size of the scene, on its background', () => {
  expect(toSvg({ width: 20, height: 10, background: '#fff', fontFamily: 'Sans', marks: [] })).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10" viewBox="0 0 20 10" font-family="Sans" fill="none">' +
      '<rect width="20" height="10" fill="#fff"/></svg>',
  );
});

it.each<[Mark, string]>([
  [
    {
      kind: 'line',
      points: [
        { x: 0, y: 1.23456 },
        { x: 2, y: 3 },
      ],
      stroke: 'red',
      strokeWidth: 3,
    },
    '<path d="M0,1.235L2,3" stroke="red" stroke-width="3" stroke-linejoin="round" stroke-linecap="round"/>',
  ],
  [{ kind: 'dot', x: 1, y: 2, radius: 3, fill: 'red' }, '<circle cx="1" cy="2" r="3" fill="red"/>'],
  [
    { kind: 'rect', x: 1, y: 2, width: 3, height: 4, fill: 'red', opacity: 0.5 },
    '<rect x="1" y="2" width="3" height="4" fill="red" opacity="0.5"/>',
  ],
  [
    { kind: 'rule', from: { x: 1, y: 2 }, to: { x: 3, y: 4 }, stroke: 'red', dashes: [9, 6] },
    '<line x1="1" y1="2" x2="3" y2="4" stroke="red" stroke-dasharray="9 6"/>',
  ],
])('draws $0.kind', (mark, svg) => {
  expect(svgOf(mark)).toBe(svg);
});

it('centres the lines of a text on its y', () => {
  // Font size 10: lines 13 apart, baselines 3 below their middle.
  expect(
    svgOf({
      kind: 'text',
      lines: ['one', 'two'],
      x: 5,
      y: 50,
      fill: 'red',
      size: 10,
      align: 'center',
    }),
  ).toBe(
    '<text fill="red" font-size="10" text-anchor="middle">' +
      '<tspan x="5" y="46.5">one</tspan><tspan x="5" y="59.5">two</tspan></text>',
  );
});

it('escapes what XML reserves', () => {
  expect(
    svgOf({ kind: 'text', lines: [`</text><b a="1">&amp;'`], x: 0, y: 0, fill: 'red', size: 10 }),
  ).toContain('>&lt;/text&gt;&lt;b a=&quot;1&quot;&gt;&amp;amp;&apos;</tspan>');
});

describe('the bundled font', () => {
  it.each(LANGS)('can draw every label and month in %s', (lang) => {
    const { chartLabels, pictureLabels } = languageOf(lang);
    const { format, ...labels } = chartLabels;
    const texts = [
      format.months('short'),
      format.weekdays('short'),
      Object.values(labels),
      pictureLabels,
      labels.measure,
      labels.watering,
    ];
    for (const text of texts
      .flatMap((each) => Object.values(each))
      .filter((each) => typeof each === 'string'))
      expect([text, canDraw(text)]).toEqual([text, true]);
  });

  it.each([
    'North 1',
    'Été – œuf « Ñandú »',
    '¿Señal? ¡Güímar 1.º!',
    'Ελιά',
    'Север',
    'الشمال',
    'צפון',
    '',
    '5 °C · 12 m²',
    'A\u200dB',
  ])('can draw "%s"', (text) => expect(canDraw(text)).toBe(true));

  it.each(['北の畑', '사과', 'सेब', '북1', 'North 1 🌳', 'สวน'])('cannot draw "%s"', (text) =>
    expect(canDraw(text)).toBe(false),
  );
});
