import { describe, expect, it } from 'vitest';
import { amount, emitters, exact, roundedTo } from '../../src/domain/text/figures.ts';
import { argument, aside, code, operationName } from '../../src/domain/text/program-names.ts';
import { programText } from '../../src/domain/text/program-text.ts';
import { list, say, verbatim } from '../../src/domain/text/say.ts';
import type { Text } from '../../src/domain/text/text.ts';
import { localDay, timeOf } from '../../src/domain/text/times.ts';
import { UNKNOWN_READER } from '../../src/language/refusal-reader.ts';
import { inWords, renderSentence } from '../../src/language/text/render.ts';
import { readText } from '../../src/language/text/rendered-text.ts';
import type { ArgumentWords } from '../../src/language/text/spoken-argument.ts';

const WORDS = new Map([
  ['startTimes', 'start time'],
  ['depthWeights', 'weights by depth'],
  ['startTimes.0', 'start time'],
  ['depthWeights.2', 'weight'],
  ['layers.1', 'layer'],
  ['layers.1.depthTopCm', 'top of a layer'],
  ['startedAt', 'start'],
  ['endsOn', 'last day'],
  ['emittersPerM2', 'number of emitters per square metre'],
  ['flowMmPerH', 'application rate'],
]);
const argumentWords: ArgumentWords = (path) => WORDS.get(path.join('.')) ?? null;

describe('an argument of a refusal', () => {
  it.each([
    ['startTimes.0', 'Start time 1 is not valid.'],
    ['depthWeights.2', 'Weight 3 is not valid.'],
    ['layers.1.depthTopCm', 'The top of a layer, in layer 2, is not valid.'],
    ['startedAt', 'The start is not valid.'],
    ['soilLines.0.depthCm', 'SoilLines.0.depthCm is not valid.'],
    ['days.11', 'Days.11 is not valid.'],
  ])(
    'is said in the words of its field, or as it is where no field has words: %s',
    (path, spoken) => {
      const reader = { ...UNKNOWN_READER, argumentWords };
      expect(readText(renderSentence(say`${argument(path)} is not valid.`, reader))).toBe(spoken);
    },
  );
});

const READER = {
  now: Date.parse('2026-07-01T10:00:00Z'),
  zone: 'Europe/Paris',
  argumentWords,
} as const;

/** What a program reads, and what a person hears. */
const REFUSALS: readonly (readonly [text: Text, program: string, spoken: string])[] = [
  [
    say`${argument('startTimes.0')} ${verbatim('"startsOn"')} stands beside ${argument('endsOn')}.`,
    'startTimes.0 "startsOn" stands beside endsOn.',
    'Start time 1 "startsOn" stands beside the last day.',
  ],
  [
    say`The watering${aside(say`#12`)} is no ${code('micro_sprinkler')}.`,
    'The watering (#12) is no micro_sprinkler.',
    'The watering is no micro sprinkler.',
  ],
  [
    say`Since ${timeOf('2026-07-01T06:00:00Z')}, not ${localDay('2026-06-30')}.`,
    'Since 2026-07-01T06:00:00.000Z, not 2026-06-30.',
    'Since today 08:00, not yesterday.',
  ],
  [
    say`${list([exact(12.7, 'mm'), exact([10, 20], 'cm', 'or')])} with ${operationName('get_company')}.`,
    '12.7 mm and 10 or 20 cm with get_company.',
    '0.5 in (12.7 mm) and 4 or 8 in (10 or 20 cm) with get company.',
  ],
  [
    say`Sensors at ${exact([10, 20], 'cm')}, ${exact(1e-7, 'L/h')}, ${roundedTo(1.333, 4 / 3, 'mm/h')}.`,
    'Sensors at 10 and 20 cm, 0.0000001 L/h, 1.333 mm/h.',
    'Sensors at 4 and 8 in (10 and 20 cm), 0.00000003 gph (0.0000001 L/h), 0.052 in/h (1.33 mm/h).',
  ],
  [
    say`${argument('emittersPerM2')} is ${emitters(1234.5, 'exact')}, ${exact(2, 'm3/h')}.`,
    'emittersPerM2 is 1234.5 emitters per m2, 2 m3/h.',
    'The number of emitters per square metre is one emitter per 0.00872 sq ft (1234.5 per m2), 2 m3/h.',
  ],
  [
    say`The change is ${inWords(say`from ${timeOf('2026-07-01T06:00:00Z')}: ${amount(25.44, 'mm')}`, READER)}.`,
    'The change is from today 08:00: 25.4 mm.',
    'The change is from today 08:00: 1 in (25.4 mm).',
  ],
];

describe('a refusal of parts', () => {
  it.each(REFUSALS)('is for programs and people: %#', (text, program, spoken) => {
    expect(programText(text)).toBe(program);
    expect(readText(renderSentence(text, { ...READER, units: 'us' }))).toBe(spoken);
  });

  it('has the times of programs where no zone is known', () => {
    const message = say`${argument('startedAt')} is ${timeOf('2026-07-01T06:00:00Z')}.`;
    const reader = { ...UNKNOWN_READER, argumentWords };
    expect(readText(renderSentence(message, reader))).toBe('The start is 2026-07-01T06:00:00Z.');
  });
});
