/** A text of about `length` characters. */
export interface HostileShape {
  readonly name: string;
  readonly text: (length: number) => string;
}

/** The pump is repeated between the two ends. */
export const shapeOf = (start: string, pump: string, end: string): HostileShape => ({
  name: JSON.stringify(`${start}${pump}…${end}`),
  text: (length) => start + pump.repeat(Math.max(1, Math.floor(length / pump.length))) + end,
});

/** Texts that have shown readers that were quadratic. */
const PUMPS = [
  ...[' ', '\t', ';', '-', '0', 'a', ',', '. ', '\\"', '(a_b', '[', '0://', ':00', '#100 '],
  ...['1 h ', '1, ', '1 to ', '1 mm (', 'cm in ', 'Soil 1 ', 'Date ', 'LBL: 1'],
];

const MORE_PUMPS = [
  ...['\n', ',,', '; ', '.', '/', ':', '_', '=', '"', "'", '#', '00', '1 ', '1,1', '1.', '0.0'],
  ...[
    '0:',
    '1-',
    '+1',
    'a ',
    'A ',
    'a.',
    'a=',
    'a_',
    'aB',
    '! ',
    'ñ',
    '\u0301',
    '\u200b',
    '\ud800',
  ],
  ...[
    '🌱',
    '(',
    ')',
    '[]',
    '[a]',
    '{a}',
    '<',
    '(#a',
    '(1) ',
    '../',
    '//',
    '@',
    '%',
    '1 h',
    '1 cm ',
  ],
  ...[
    'at ',
    'read ',
    'reads 1 ',
    'half ',
    'one hundred and ',
    'to the ',
    'from ',
    'and ',
    'de la ',
  ],
  ...['yesterday ', 'x 1 ', '* 1', '1 mm ', 'M', 'Soil Temp ', 'Temp - ', 'LBL: ', 'Simple Date '],
  ...['SEN S/N: ', 'Port ', '), a, ', '(1:', 'CH 1 ', 'm3', 'key', 'key=', 'acequia_', 'eyJ'],
  ...['\x1b]', '"a",'],
];

/** With each pump alone, and before an end that lets what began to match fail. */
export const HOSTILE_SHAPES: readonly HostileShape[] = [
  shapeOf('1', ' ', 'x'),
  shapeOf('', '1, ', ''),
  ...PUMPS.map((pump) => shapeOf('', pump, '!')),
];

export const MORE_HOSTILE_SHAPES: readonly HostileShape[] = [...PUMPS, ...MORE_PUMPS].flatMap(
  (pump) => [shapeOf('', pump, ''), shapeOf('1', pump, 'x'), shapeOf(pump, '0', pump)],
);
