import { expect, it } from 'vitest';
import { parseIsoDate, parseOffsetInstant } from '../../../src/domain/calendar.ts';
import { foldText, quote } from '../../../src/domain/strings.ts';
import { parseHost } from '../../../src/http/admission/dns-rebinding-guard.ts';
import { isJsonType } from '../../../src/http/body/content-type.ts';
import { parseAmount } from '../../../src/language/words/amounts/amount.ts';
import { parseEndInstant, parseInstant } from '../../../src/language/words/instant.ts';
import { argumentsObject } from '../../../src/operation/arguments/sent-arguments.ts';
import { readToolArguments } from '../../../src/operation/arguments/tool-arguments.ts';
import { ReadingTimeParser } from '../../../src/service/ingest/reading-times.ts';
import { parseDecimal } from '../../../src/service/ingest/reading-values.ts';
import { operationsByName } from '../../../tools/index.ts';
import { leastCpuMs } from '../../cpu-time.ts';
import { FARM_NOW } from '../../farm.ts';

const ZONE = 'Europe/Paris';

const directory = { modules: async () => [{ id: 1, name: 'North 1' }], parcels: async () => [] };
const readTool = (tool: string, args: object) =>
  readToolArguments(operationsByName.get(tool)!, args, {
    zone: ZONE,
    countryCode: null,
    units: 'metric',
    now: FARM_NOW,
    lang: 'en',
    directory: directory as never,
    runRead: directory as never,
  });

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'an instant': (text) => parseInstant(text, ZONE, FARM_NOW),
  'an end': (text) => parseEndInstant(text, ZONE, FARM_NOW, FARM_NOW - 1000),
  'an instant with an offset': parseOffsetInstant,
  'a date': parseIsoDate,
  'a duration': (text) => parseAmount(text, 'min'),
  'the time of a reading': (text) =>
    new ReadingTimeParser({ zone: ZONE, now: FARM_NOW }).parse(text),
  'the value of a reading': parseDecimal,
  'a name': (text) => readTool('get_module', { module: text }).catch(() => null),
  'the name of an argument': (text) => readTool('create_schedule', { [text]: 1 }).catch(() => null),
  'arguments as JSON text': argumentsObject,
  'a media type': isJsonType,
  'a host': parseHost,
  'a quoted value': quote,
};

const STARTS = ['', '2026-07-01T', '1 h', 'today ', 'application/json', '"'];
const REPEATED = [
  ...' \ta01/.-:",_+é({[\\',
  'a ',
  '0.',
  '0:',
  ' 0',
  'and ',
  'um',
  '1/',
  '[::',
  'a;',
  '="',
];
const ENDS = ['', '\u0001'];
const LENGTH = 20_000;

const TEXTS = STARTS.flatMap((start) =>
  REPEATED.flatMap((part) => ENDS.map((end) => start + part.repeat(LENGTH / part.length) + end)),
);

const costOf = (
  read: (text: string) => unknown,
  text: string,
  enoughMs?: number,
): Promise<number> =>
  leastCpuMs(
    async () => {
      try {
        await read(text);
      } catch {
        // It may be refused.
      }
    },
    { runs: 3, enoughMs },
  );

/** Work in proportion to the square of the length is 20,000 steps for each character. */
const MAX_FOLDING_RATIO = 30;

it.each(Object.keys(READERS))('%s of 20,000 characters is read in linear time', async (name) => {
  const maxMs = MAX_FOLDING_RATIO * (await costOf(foldText, 'Añ '.repeat(LENGTH / 3)));
  for (const text of TEXTS)
    expect(
      await costOf(READERS[name]!, text, maxMs),
      `${text.slice(0, 20)}…${text.slice(-2)}`,
    ).toBeLessThan(maxMs);
});
