import { describe, expect, it } from 'vitest';
import { area, emitters, exact, minutes, rough } from '../../src/domain/text/figures.ts';
import {
  argument,
  aside,
  bareArgument,
  code,
  operationName,
} from '../../src/domain/text/program-names.ts';
import { call, list, name, type Sayable, say, verbatim } from '../../src/domain/text/say.ts';
import type { Part, Text, Words } from '../../src/domain/text/text.ts';
import {
  clock,
  dateOf,
  dayOfYear,
  inZone,
  localDay,
  longDateOf,
  longTimeOf,
  period,
  timeOf,
  timeRelativeTo,
  weekday,
  zone,
} from '../../src/domain/text/times.ts';
import { render } from '../../src/language/text/render.ts';
import { readText } from '../../src/language/text/rendered-text.ts';
import { argumentWordsOf } from '../../src/operation/arguments/argument-words.ts';
import { parseProblem } from '../../src/remote/service/remote-errors.ts';
import { operationsByName } from '../../tools/index.ts';

const KEY = 'a-key';
const CONTEXT = {
  operation: operationsByName.get('log_watering')!,
  origin: 'http://127.0.0.1',
  key: KEY,
  idempotencyKey: null,
};
const READER = {
  now: Date.UTC(2026, 6, 1),
  zone: 'Europe/Paris',
  units: 'us',
  argumentWords: argumentWordsOf(CONTEXT.operation),
} as const;
const STRINGS = { detail: 'It is 12 mm.', hint: 'Give 1 mm.' };

const AT = READER.now;
const PARTS: Readonly<Record<Exclude<Part, Words>['kind'], Sayable>> = {
  quantity: rough(exact([1, 2], 'mm', 'or')),
  area: area(12_000),
  density: emitters(2),
  duration: minutes(125),
  instant: timeRelativeTo(AT, AT),
  dateOf: dateOf(AT),
  longInstant: longTimeOf(AT),
  longDate: longDateOf(AT),
  period: period(AT, null),
  day: localDay('2026-07-01'),
  weekday: weekday('2026-07-01'),
  dayOfYear: dayOfYear('02-29'),
  clock: inZone(clock('06:00'), 'Europe/Madrid'),
  zone,
  name: name('12 mm'),
  list: list([code('drip'), say`${list([name('A'), aside(say`#12`)], 'or')}`]),
  call: call('list_modules', 'parcel'),
  argument: bareArgument('startedAt'),
  code: code('drip'),
  operation: operationName('get_company'),
  aside: aside(say`#12`),
  description: { kind: 'description', text: say`${exact(1, 'mm')}`, forPrograms: '1 mm' },
};
const textsOf = (problem: unknown): ReturnType<typeof parseProblem>['texts'] =>
  parseProblem(JSON.stringify(problem), CONTEXT).texts;

const received = (message: unknown): Text | undefined =>
  textsOf({ ...STRINGS, texts: { message } }).message;

const nested = (depth: number): string =>
  `${'{"parts":[{"kind":"aside","text":'.repeat(depth)}{"parts":[]}${'}]}'.repeat(depth)}`;

describe('the parts of a problem that a service sends', () => {
  it.each(Object.entries(PARTS))('are those of its text: %s', (_, part) => {
    const text = say`It is ${part}.`;
    expect(received(text)).toEqual(text);
  });

  it('name the arguments of the tool, hide the key, and have visible characters alone', () => {
    const text = say`${argument('moduleId')} has ${verbatim(`\u001b[31m${KEY}\ue000 12 mm\n`)}.`;
    const seen = readText(render(received(text)!, READER).summary);
    expect(seen).toBe('the probe has (the key) 12 mm .');
  });

  it('may be of one of the two texts', () => {
    const hint = say`${exact(25.4, 'mm')}`;
    expect(textsOf({ ...STRINGS, texts: { hint } })).toEqual({
      message: say`${verbatim(STRINGS.detail)}`,
      hint,
    });
  });

  it.each<[string, unknown]>([
    ['a text in place of them', 'plain'],
    ['no parts', {}],
    ['an unknown kind', { parts: [{ kind: 'picture' }] }],
    ['a name without its text', { parts: [{ kind: 'name' }] }],
    ['an unknown unit', { parts: [exact(1, 'fathom' as 'm')] }],
    ['no figure', { parts: [exact([], 'mm')] }],
    ['an enormous figure', { parts: [exact(1e300, 'mm')] }],
    ['an instant without a calendar', { parts: [timeOf(8e15)] }],
    ['a day that does not exist', { parts: [localDay('2026-02-30')] }],
    ['a day of no year', { parts: [dayOfYear('13-01')] }],
    ['an unknown zone', { parts: [inZone(clock('06:00'), 'Europe/Nowhere')] }],
    ['a long text', { parts: ['x'.repeat(2_001)] }],
    ['many texts', { parts: Array.from({ length: 150 }, () => 'x'.repeat(20)) }],
    ['many parts', { parts: Array.from({ length: 1_000 }, () => '') }],
    ['the words of an object', { parts: [{ kind: '__proto__' }, { kind: 'constructor' }] }],
  ])('are ignored if they are nonsense: %s', (_, message) => {
    expect(received(message)).toEqual(say`${verbatim(STRINGS.detail)}`);
  });

  it.each([5, 1_500, 20_000])('are ignored if they are nested %d levels deep', (depth) => {
    const problem = `{"detail":"No.","texts":{"message":${nested(depth)}}}`;
    expect(parseProblem(problem, CONTEXT).texts.message).toEqual(say`${verbatim('No.')}`);
  });
});
