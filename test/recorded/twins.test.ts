import { describe, expect, it } from 'vitest';
import type { Json } from '../tool-results.ts';
import { differences, type Sayings } from './differences.ts';
import { metricTexts, withoutUsFigures } from './metric-texts.ts';
import { readRecording } from './recording.ts';

interface Twins {
  readonly metric: Sayings;
  readonly us: Sayings;
}

const recorded = async (metric: 'answers' | 'demo-answers'): Promise<Twins> => ({
  metric: await readRecording(metric),
  us: await readRecording(`us-${metric}`),
});

/** Reads a recording that holds both farms. */
async function recordedTogether(source: 'reasons' | 'mails' | 'questions'): Promise<Twins> {
  const said = Object.entries(await readRecording(source));
  const of = (units: string): Sayings =>
    Object.fromEntries(
      said.flatMap(([question, answer]) =>
        question.startsWith(`${units}, `) ? [[question.slice(units.length + 2), answer]] : [],
      ),
    );
  return { metric: of('metric'), us: of('us') };
}

const TWINS: readonly (readonly [source: string, read: () => Promise<Twins>])[] = [
  ['answers', () => recorded('answers')],
  ['demo-answers', () => recorded('demo-answers')],
  ['reasons', () => recordedTogether('reasons')],
  ['mails', () => recordedTogether('mails')],
  ['questions', () => recordedTogether('questions')],
];

const LANGS = ['en', 'fr', 'es'];

/** The texts that stand in one unit alone, by the name of their question. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  // It names the units of depths.
  'demo-answers': [
    'refusal 012 log_watering {"module":"North 1","startedAt":"today 06:00","durationMin":"40 mm"}',
  ],
  // The figure is asked for in the unit of the farm.
  questions: LANGS.flatMap((lang) => [
    `flow rate of module, ${lang}`,
    `flow rate of parcel, ${lang}`,
  ]),
};

const inMetricTexts = (said: Sayings): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(said).map(([question, answer]) => [question, metricTexts(answer)]),
  );

describe('what is said to farms that differ in their units alone', () => {
  it.each(TWINS)('is the same without US figures: %s', async (source, read) => {
    const { metric, us } = await read();
    const [before, after] = [inMetricTexts(metric), inMetricTexts(us)];
    expect(JSON.stringify(us)).not.toBe(JSON.stringify(after));

    const exceptions = EXCEPTIONS[source] ?? [];
    for (const question of exceptions) {
      expect([question, after[question]]).not.toEqual([question, before[question]]);
      delete before[question];
      delete after[question];
    }
    expect(differences(source, before, after)).toEqual([]);
  });

  it.each([
    ['It lacks 0.71 in (18 mm).', 'It lacks 18 mm.'],
    ['on North 1, 0.11 in (2.7 mm)', 'on North 1, 2.7 mm'],
    ['at 4, 8 and 12 in (10, 20 and 30 cm)', 'at 10, 20 and 30 cm'],
    ['1 m2, 0.13 in/h (3.2 mm/h)', '1 m2, 3.2 mm/h'],
    ['(5 h, 98,800 gal [374 m3])', '(5 h, 374 m3)'],
    ['68 °F (20 °C)', '20 °C'],
    ['0,71 pulg. (18 mm) y 0,71 po (18 mm)', '18 mm y 18 mm'],
    ['one emitter per 5.38 sq ft (2 per m2)', '2 emitters per m2'],
    // These are not one quantity in two units.
    ['0.71 in (Europe/Paris)', '0.71 in (Europe/Paris)'],
    ['4 and 8 in (10 to 20 cm)', '4 and 8 in (10 to 20 cm)'],
  ])('%j is %j without them', (us, metric) => expect(withoutUsFigures(us)).toBe(metric));
});
